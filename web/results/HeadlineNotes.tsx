import { useQuery } from '@tanstack/react-query';
import { departureDate } from '../../domain/calendar-date.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { matchCount } from '../search/search-results.ts';
import { currentSearch } from '../search/search-state.ts';
import { agesNote } from './ages-note.ts';
import { KeptNote } from './KeptNote.tsx';
import { moreNote } from './more-note.ts';
import type { ResultsView } from './results-view.ts';
import { loadSampleNote } from './sample-loading-note.ts';
import { urlNote } from './url-note.ts';

/** Notes under the headline: further results, the ages of children, loading samples, and invalid parts of the URL. */
export function HeadlineNotes({ view }: { view: ResultsView }) {
  const { state, config, today, searchAgain } = useSearchContext();
  const { results, unread } = state;
  const more =
    view.kind === 'loaded' &&
    results !== null &&
    moreNote(view.page.totalResults, matchCount(results), view.hasMore);
  const ages = agesNote(currentSearch(state).party);
  const date = departureDate(currentSearch(state).date, today);
  const { data: loading } = useQuery({
    queryKey: ['sample-note', date],
    queryFn: ({ signal }) => loadSampleNote(date, signal),
    enabled: view.kind === 'empty' && config.sampleInventory,
    staleTime: 0,
    gcTime: 0,
  });
  const keptAt = view.kind === 'loaded' || view.kind === 'empty' ? results?.keptAt : undefined;
  return (
    <>
      {keptAt !== undefined && <KeptNote keptAt={keptAt} searchAgain={searchAgain} />}
      {more && <p className="results-more">{more}</p>}
      {view.kind === 'loaded' && ages && <p className="results-more">{ages}</p>}
      {view.kind === 'empty' && loading && <p className="results-more">{loading}</p>}
      {unread.length > 0 && (
        <ul className="url-notes">
          {unread.map((each) => (
            <li key={each.part + each.text}>{urlNote(each, currentSearch(state), today)}</li>
          ))}
        </ul>
      )}
    </>
  );
}
