import { type SelectHTMLAttributes, useId } from 'react';
import { type Airport, airportSelectionKey, groupAirports } from '../../domain/airport.ts';
import { DURATIONS } from '../../domain/duration.ts';
import { offeredParties, partyCode, partyWords } from '../../domain/party.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { LabelledSelect } from '../ui/LabelledSelect.tsx';
import { RetryMessage } from '../ui/RetryMessage.tsx';
import { ANY_TIME, type WhenOption, whenOptions } from './departure-span.ts';
import type { ExploreChoice } from './explore-url.ts';
import { PriceField } from './PriceField.tsx';
import { showChoice, useExploreChoice } from './use-explore-choice.ts';
import './explore-form.css';

/** The form of Explore. Each change shows its prices immediately, and adds a history entry. */
export function ExploreForm() {
  const { config, state, today, retryLists } = useSearchContext();
  const choice = useExploreChoice();
  const { halves, months } = whenOptions(today);
  const parties = offeredParties(config.parties);
  const change = (changes: Partial<ExploreChoice>) => showChoice({ ...choice, ...changes });
  const { airports } = state;
  return (
    <search className="explore-form" aria-label="Explore prices">
      <SelectField
        label="From"
        value={choice.airport === null ? '' : airportSelectionKey(choice.airport)}
        disabled={airports.status !== 'stored'}
        onChange={({ currentTarget }) => change({ from: currentTarget.value || null })}
      >
        <option value="">
          {airports.status === 'pending' ? 'Loading airports...' : 'Choose an airport'}
        </option>
        {airports.status === 'stored' && <AirportOptions airports={airports.value} />}
      </SelectField>
      <SelectField
        label="When"
        value={choice.when}
        onChange={({ currentTarget }) => change({ when: currentTarget.value })}
      >
        <option value={ANY_TIME}>Any time</option>
        <Options label="Half-years" options={halves} />
        <Options label="Months" options={months} />
      </SelectField>
      <LabelledSelect
        className="explore-field"
        label="How long"
        value={choice.nights ?? ''}
        options={[
          ['', '4 to 14 nights'],
          ...DURATIONS.map((nights) => [nights, `${nights} nights`] as const),
        ]}
        onChange={(nights) => change({ nights: nights || null })}
      />
      <PriceField
        maxPounds={choice.maxPounds}
        onChange={(maxPounds) => showChoice({ ...choice, maxPounds }, { replace: true })}
      />
      {parties.length > 1 && (
        <LabelledSelect
          className="explore-field"
          label="Who’s travelling?"
          value={partyCode(choice.party)}
          options={parties.map((party) => [partyCode(party), partyWords(party)])}
          onChange={(code) =>
            change({ party: parties.find((party) => partyCode(party) === code) ?? choice.party })
          }
        />
      )}
      {airports.status === 'failed' && (
        <RetryMessage className="explore-form-error" words={airports.message} onRetry={retryLists} />
      )}
    </search>
  );
}

function AirportOptions({ airports }: { airports: readonly Airport[] }) {
  return groupAirports(airports).map(({ heading, airports: ofRegion }) => (
    <optgroup key={heading?.code ?? ''} label={heading?.name ?? 'Other airports'}>
      {heading && <option value={airportSelectionKey(heading)}>{`${heading.name}: all airports`}</option>}
      {ofRegion.map((airport) => (
        <option key={airport.id} value={airportSelectionKey(airport)}>
          {airport.name}
        </option>
      ))}
    </optgroup>
  ));
}

function Options({ label, options }: { label: string; options: readonly WhenOption[] }) {
  return (
    <optgroup label={label}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </optgroup>
  );
}

function SelectField({ label, ...others }: SelectHTMLAttributes<HTMLSelectElement> & { label: string }) {
  const id = useId();
  return (
    <p className="explore-field">
      <label htmlFor={id}>{label}</label>
      <select id={id} {...others} />
    </p>
  );
}
