import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearch } from 'wouter/use-browser-location';
import { KeptNote } from '../../results/KeptNote.tsx';
import { useSearchContext } from '../../search/search-context.tsx';
import { serviceKey } from '../../search/search-service.ts';
import { PageLink } from '../../ui/PageLink.tsx';
import { RetryMessage } from '../../ui/RetryMessage.tsx';
import { ShareLink } from '../../ui/ShareLink.tsx';
import {
  isSharedShortlist,
  parseShortlist,
  type SavedHoliday,
  shortlistUrl,
  useShortlist,
} from '../shortlist.ts';
import { CompareTable } from './CompareTable.tsx';
import { fetchSaved } from './fetch-saved.ts';
import { SaveAll } from './SaveAll.tsx';
import './shortlist.css';

/** The holidays saved on this device, or the copy of a list in the URL, side by side. */
export function ShortlistContent() {
  const { config, hasSettings } = useSearchContext();
  const query = useSearch({ ssrSearch: '' });
  const isShared = isSharedShortlist(query);
  const own = useShortlist() ?? [];
  const saved = isShared ? parseShortlist(query) : own;
  // A removed holiday leaves the others as they are, without another request.
  const [asked, setAsked] = useState(saved);
  if (!saved.every((each) => includes(asked, each))) setAsked(saved);
  const isOffered = config.facets && saved.length > 0;
  const {
    data = [],
    isError,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: ['shortlist', ...serviceKey(config), asked.map(({ itemKey, pounds }) => [itemKey, pounds])],
    queryFn: ({ signal, client }) => fetchSaved(asked, own, config, client, signal),
    enabled: isOffered,
    // Prices are checked at each visit.
    staleTime: 0,
    placeholderData: keepPreviousData,
    meta: { what: 'The shortlist' },
  });
  const compared = data.filter(({ itemKey }) => saved.some((each) => each.itemKey === itemKey));
  const keptAt = Math.min(...compared.map((each) => each.keptAt ?? Infinity));
  if (!hasSettings) return <p role="status">Loading...</p>;
  return (
    <section className="results shortlist" aria-label="Shortlist" aria-busy={isFetching}>
      {!isOffered && (
        <div className="empty-help">
          <div>
            <h2>{isShared ? 'This link has no holidays' : 'You haven’t saved a holiday yet'}</h2>
            <p>Press the heart on a holiday to keep it here and compare it with others.</p>
          </div>
          <PageLink className="button-action" href="/" toTop>
            Search for a holiday
          </PageLink>
        </div>
      )}
      {isOffered && isShared && <SaveAll compared={compared} own={own} />}
      <div role="status">{isFetching && 'Checking prices and availability...'}</div>
      {isOffered && isError && !isFetching && (
        <RetryMessage words="We couldn’t check these holidays." onRetry={() => void refetch()} />
      )}
      {compared.length > 0 && (
        <>
          {Number.isFinite(keptAt) && <KeptNote keptAt={keptAt} searchAgain={() => void refetch()} />}
          <CompareTable compared={compared} />
          <ShareLink what="this shortlist" href={shortlistUrl(saved)} />
        </>
      )}
    </section>
  );
}

function includes(list: readonly SavedHoliday[], { itemKey, pounds }: SavedHoliday): boolean {
  return list.some((each) => each.itemKey === itemKey && each.pounds === pounds);
}
