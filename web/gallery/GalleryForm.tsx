import { useState } from 'react';
import type { Airport } from '../../domain/airport.ts';
import type { DestinationIndex } from '../../domain/destination-index.ts';
import { DEFAULT_DURATION } from '../../domain/duration.ts';
import { DEFAULT_PARTY, type Party } from '../../domain/party.ts';
import type { SearchFormValue } from '../search/search-form-value.ts';
import { SearchForm } from '../search-form/SearchForm.tsx';
import type { LoadState } from '../ui/load-state.ts';
import { AIRPORTS, DESTINATIONS, TODAY } from './gallery-data.ts';

export const EMPTY_FORM: SearchFormValue = {
  destination: null,
  departureAirport: null,
  date: null,
  duration: DEFAULT_DURATION,
  party: DEFAULT_PARTY,
};

interface GalleryFormProps {
  value?: SearchFormValue;
  searching?: boolean;
  compact?: boolean;
  parties?: readonly Party[];
  destinations?: LoadState<DestinationIndex>;
  airports?: LoadState<readonly Airport[]>;
}

/** The search form, which can be filled in, and searches nothing. */
export function GalleryForm({
  value = EMPTY_FORM,
  searching = false,
  compact = false,
  parties = [],
  destinations = { status: 'stored', value: DESTINATIONS },
  airports = { status: 'stored', value: AIRPORTS },
}: GalleryFormProps) {
  const [form, setForm] = useState(value);
  return (
    <SearchForm
      lists={{ destinations, airports, retry: () => {} }}
      value={form}
      onChange={(change) => setForm((held) => ({ ...held, ...change }))}
      onSearch={() => {}}
      onModify={() => {}}
      searching={searching}
      today={TODAY}
      parties={parties}
      priceService={null}
      explores
      compact={compact}
    />
  );
}
