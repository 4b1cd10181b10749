import type { Airport } from '../../domain/airport.ts';
import type { CalendarDate } from '../../domain/calendar-date.ts';
import type { DestinationIndex } from '../../domain/destination-index.ts';
import type { Party } from '../../domain/party.ts';
import type { SearchFormValue } from '../search/search-form-value.ts';
import { Icon } from '../ui/Icon.tsx';
import type { LoadState } from '../ui/load-state.ts';
import { AirportField } from './AirportField.tsx';
import { DateField } from './DateField.tsx';
import { DestinationField } from './DestinationField.tsx';
import { DurationField } from './DurationField.tsx';
import { ExploreLink } from './ExploreLink.tsx';
import { isSearchable } from './is-searchable.ts';
import type { PriceRequest } from './price-request.ts';
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
  /** Aborts the running search (ruling 4). */
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
  /** The smaller layout above results. */
  isCompact?: boolean;
}

/** The search form, its fields in the order of Section 2. */
export function SearchForm(props: SearchFormProps) {
  const { lists, value, onChange, onSearch, onModify, isSearching, today, parties } = props;
  const { priceService, hasExplore, isCompact = false } = props;
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
          prices={priceService && searchable ? { service: priceService, trip: value } : null}
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
            <button type="button" className="modify-button" onClick={onModify}>
              Modify Search
            </button>
          )}
        </div>
      </form>
      <div className="form-line">
        <TravellersLine
          parties={parties}
          value={value.party}
          onChange={(party) => onChange({ party })}
          disabled={isSearching}
        />
        {hasExplore && <ExploreLink {...value} />}
      </div>
    </search>
  );
}

/** 'Search', or 'Searching...' while busy (Section 2). */
function SearchButton({ isSearching, searchable }: { isSearching: boolean; searchable: boolean }) {
  return (
    <button type="submit" className="search-button" disabled={isSearching || !searchable}>
      {!isSearching && <Icon name="search" />}
      <span>{isSearching ? 'Searching...' : 'Search'}</span>
    </button>
  );
}
