import { useMemo } from 'react';
import { formatPounds } from '../../domain/money.ts';
import { offeredLimit, watchWords } from '../../domain/search-watch.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { toSearchUrl } from '../search/search-url.ts';
import { AlertModal } from './AlertModal.tsx';
import type { AlertSubject } from './alert-subject.ts';
import type { WatchedSearch } from './watched-search.ts';

/** The modal for a search to watch. */
export function SearchAlert({ watched, onClose }: { watched: WatchedSearch; onClose(): void }) {
  const { config } = useSearchContext();
  const subject = useMemo(() => subjectOf(watched), [watched]);
  return <AlertModal subject={subject} config={config} onClose={onClose} />;
}

function subjectOf({ search, until, lowest, hotelName, isBooked }: WatchedSearch): AlertSubject {
  const { departureAirport: airport, date } = search;
  const url = toSearchUrl(search);
  const offered = lowest === null ? '' : String(isBooked ? Math.round(lowest) : offeredLimit(lowest));
  return {
    kind: 'search',
    url: until === null ? url : `${url}&until=${until}`,
    name: airport && date ? watchWords({ ...search, airport, date, until }, hotelName) : '',
    price: lowest === null ? 'Nothing on sale now' : `From ${formatPounds(lowest)} now`,
    offered,
    isBooked,
  };
}
