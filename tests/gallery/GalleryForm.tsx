import { useState } from 'react';
import type { Airport } from '../../domain/airport.ts';
import type { DestinationIndex } from '../../domain/destination-index.ts';
import { DEFAULT_DURATION } from '../../domain/duration.ts';
import { NO_FLEXIBILITY } from '../../domain/flexibility.ts';
import { DEFAULT_PARTY, type Party } from '../../domain/party.ts';
import type { SearchFormValue } from '../../web/search/search-form-value.ts';
import { SearchForm } from '../../web/search-form/SearchForm.tsx';
import type { LoadState } from '../../web/ui/load-state.ts';
import { AIRPORTS, DESTINATIONS, TODAY } from './gallery-data.ts';

export const EMPTY_FORM: SearchFormValue = {
  destination: null,
  departureAirport: null,
  date: null,
  duration: DEFAULT_DURATION,
  party: DEFAULT_PARTY,
  flexibility: NO_FLEXIBILITY,
};

interface GalleryFormProps {
  value?: SearchFormValue;
  isSearching?: boolean;
  isCompact?: boolean;
  parties?: readonly Party[];
  destinations?: LoadState<DestinationIndex>;
  airports?: LoadState<readonly Airport[]>;
}

/** A search form that can be filled in but sends no search. */
export function GalleryForm({
  value = EMPTY_FORM,
  isSearching = false,
  isCompact = false,
  parties = [],
  destinations = { status: 'stored', value: DESTINATIONS },
  airports = { status: 'stored', value: AIRPORTS },
}: GalleryFormProps) {
  const [form, setForm] = useState(value);
  return (
    <SearchForm
      lists={{ destinations, airports, retry: () => {} }}
      value={form}
      onChange={(change) => setForm((current) => ({ ...current, ...change }))}
      onSearch={() => {}}
      onModify={() => {}}
      isSearching={isSearching}
      today={TODAY}
      parties={parties}
      priceService={null}
      hasExplore
      hasOptions
      isCompact={isCompact}
    />
  );
}
