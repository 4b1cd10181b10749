import { useState } from 'react';
import type { Airport } from '../../domain/airport.ts';
import type { CalendarDate } from '../../domain/calendar-date.ts';
import { shortName } from '../../domain/destination.ts';
import type { DestinationIndex } from '../../domain/destination-index.ts';
import { daysWords, nightsWords, orWords } from '../../domain/flexibility.ts';
import type { Party } from '../../domain/party.ts';
import type { PriceRequest } from '../search/price-request.ts';
import type { SearchFormValue } from '../search/search-form-value.ts';
import { Icon } from '../ui/Icon.tsx';
import type { LoadState } from '../ui/load-state.ts';
import { AirportField } from './AirportField.tsx';
import { DateField } from './DateField.tsx';
import { DestinationField } from './DestinationField.tsx';
import { DurationField } from './DurationField.tsx';
import { ExploreLink } from './ExploreLink.tsx';
import { formCode } from './form-code.ts';
import { isSearchable } from './is-searchable.ts';
import { TravellersLine } from './TravellersLine.tsx';
import './search-form.css';

export interface SearchFormProps {
  lists: {
    destinations: LoadState<DestinationIndex>;
    airports: LoadState<readonly Airport[]>;
    retry: () => void;
  };
  value: SearchFormValue;
  /** Receives only the changed values, so that changes in one tick do not overwrite each other. */
  onChange: (change: Partial<SearchFormValue>) => void;
  onSearch: () => void;
  /** Aborts the running search. */
  onModify: () => void;
  isSearching: boolean;
  /** Today in London. */
  today: CalendarDate;
  /** The parties that packages are sold to. */
  parties: readonly Party[];
  /** The service of the calendar's prices; null: no prices. */
  priceService: PriceRequest['service'] | null;
  /** Whether the server offers Explore. */
  hasExplore: boolean;
  /** Whether the server accepts several places, days either side and a range of nights. */
  hasOptions: boolean;
  /** The smaller layout above results. */
  isCompact?: boolean;
}

const FlexibleOptions = formCode.part((code) => code.FlexibleOptions);

/** The search form, its fields in the order of Section 2. */
export function SearchForm(props: SearchFormProps) {
  const { lists, value, onChange, onSearch, onModify, isSearching, today, parties } = props;
  const { priceService, hasExplore, hasOptions, isCompact = false } = props;
  const [isOpen, setOpen] = useState(false);
  const searchable = isSearchable(value);
  return (
    <search aria-label="Holidays">
      <form
        className="search-form"
        data-compact={isCompact || undefined}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (searchable && !isSearching) onSearch();
        }}
      >
        <DestinationField
          list={lists.destinations}
          value={value.destination}
          onChange={(destination) => onChange({ destination })}
          onRetry={lists.retry}
          disabled={isSearching}
          explore={hasExplore ? (words) => <ExploreLink {...value} words={words} /> : null}
        />
        <AirportField
          list={lists.airports}
          value={value.departureAirport}
          onChange={(departureAirport) => onChange({ departureAirport })}
          onRetry={lists.retry}
          disabled={isSearching}
        />
        <DateField
          value={value.date}
          onChange={(date) => onChange({ date })}
          today={today}
          prices={
            priceService && searchable
              ? { service: priceService, trip: { ...value, destination: value.destination?.tuple ?? null } }
              : null
          }
          disabled={isSearching}
        />
        <DurationField
          value={value.duration}
          onChange={(duration) => onChange({ duration })}
          disabled={isSearching}
        />
        <div className="search-actions">
          <SearchButton isSearching={isSearching} searchable={searchable} />
          {isSearching && (
            <button type="button" className="button-quiet modify-button" onClick={onModify}>
              Modify Search
            </button>
          )}
        </div>
        {isOpen && (
          <FlexibleOptions
            Field={DestinationField}
            list={lists.destinations}
            onRetry={lists.retry}
            value={value}
            onChange={(flexibility) => onChange({ flexibility })}
            disabled={isSearching}
          />
        )}
      </form>
      <div className="form-line">
        <TravellersLine
          parties={parties}
          value={value.party}
          onChange={(party) => onChange({ party })}
          disabled={isSearching}
        />
        {hasOptions && (
          <button
            type="button"
            className="link-button"
            aria-expanded={isOpen}
            onPointerEnter={formCode.preload}
            onClick={() => setOpen(!isOpen)}
          >
            {['More options', flexibilityWords(value)].filter(Boolean).join(': ')}
          </button>
        )}
        {hasExplore && <ExploreLink {...value} />}
      </div>
    </search>
  );
}

/** '±3 days · 7 to 10 nights · or Ibiza'. */
function flexibilityWords({ flexibility, duration }: SearchFormValue): string {
  const { days, maxNights, places } = flexibility;
  const parts = [
    daysWords({ days }).trim(),
    maxNights !== null && maxNights > duration && nightsWords(duration, flexibility),
    places.length > 0 && `or ${orWords(places.map(shortName))}`,
  ];
  return parts.filter(Boolean).join(' · ');
}

/** 'Search', or 'Searching...' while busy (Section 2). */
function SearchButton({ isSearching, searchable }: { isSearching: boolean; searchable: boolean }) {
  return (
    <button type="submit" className="button-action search-button" disabled={isSearching || !searchable}>
      {!isSearching && <Icon name="search" />}
      <span>{isSearching ? 'Searching...' : 'Search'}</span>
    </button>
  );
}
