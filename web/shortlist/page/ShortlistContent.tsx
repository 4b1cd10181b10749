import { useSearch } from 'wouter/use-browser-location';
import { keptCode } from '../../results/keeping-client.ts';
import { useSearchContext } from '../../search/search-context.tsx';
import { useLazyCode } from '../../ui/lazy-code.ts';
import { PageLink } from '../../ui/PageLink.tsx';
import { RetryMessage } from '../../ui/RetryMessage.tsx';
import { ShareLink } from '../../ui/ShareLink.tsx';
import { useFetched } from '../../ui/use-fetched.ts';
import { parseShortlist, useShortlist } from '../shortlist.ts';
import { CompareTable } from './CompareTable.tsx';
import { fetchSaved } from './fetch-saved.ts';
import './shortlist.css';

/** The holidays of the URL, or else those saved on this device, side by side. */
export function ShortlistContent() {
  const { config, hasSettings } = useSearchContext();
  const inUrl = parseShortlist(useSearch({ ssrSearch: '' }));
  const own = useShortlist() ?? [];
  const saved = inUrl.length > 0 ? inUrl : own;
  const isOffered = config.facets && saved.length > 0;
  const key = isOffered ? saved.map(({ itemKey, pounds }) => `${itemKey} ${pounds}`).join(' ') : null;
  const { state, retry } = useFetched('The shortlist', key, (signal) =>
    fetchSaved(saved, own, config, signal),
  );
  const kept = useLazyCode(keptCode);
  const keptAt = Math.min(
    ...(state.status === 'stored' ? state.value : []).map((each) => each.keptAt ?? Infinity),
  );
  const hasOthers = saved.some(({ itemKey }) => own.every((each) => each.itemKey !== itemKey));
  if (!hasSettings) return <p role="status">Loading...</p>;
  return (
    <section
      className="results shortlist"
      aria-label="Shortlist"
      aria-busy={isOffered && state.status === 'pending'}
    >
      {!isOffered && (
        <div className="empty-help">
          <div>
            <h2>You haven’t saved a holiday yet</h2>
            <p>Press the heart on a holiday to keep it here and compare it with others.</p>
          </div>
          <PageLink className="button-action" href="/" toTop>
            Search for a holiday
          </PageLink>
        </div>
      )}
      <div role="status">
        {isOffered && state.status === 'pending' && 'Checking prices and availability...'}
      </div>
      {isOffered && state.status === 'failed' && (
        <RetryMessage words="We couldn’t check these holidays." onRetry={retry} />
      )}
      {isOffered && state.status === 'stored' && (
        <>
          {kept.status === 'stored' && Number.isFinite(keptAt) && (
            <kept.code.KeptNote keptAt={keptAt} searchAgain={retry} />
          )}
          <CompareTable compared={state.value} />
          <ShareLink what="this shortlist" />
          {hasOthers && <p>Press an empty heart to save a holiday on this device.</p>}
        </>
      )}
    </section>
  );
}
