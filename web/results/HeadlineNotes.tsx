import { useSearchContext } from '../search/search-context.tsx';
import { currentSearch } from '../search/search-state.ts';
import { addressNote } from './address-note.ts';
import { agesNote } from './ages-note.ts';
import { moreNote } from './more-note.ts';
import type { ResultsView } from './results-view.ts';

/** Notes under the headline: how many more results there are, and which parts of the address could not be read. */
export function HeadlineNotes({ view }: { view: ResultsView }) {
  const { state, today } = useSearchContext();
  const { results, unread } = state;
  const more = view.kind === 'loaded' && moreNote(view.page.totalResults, results?.count ?? 0, view.hasMore);
  const ages = agesNote(currentSearch(state).party);
  return (
    <>
      {more && <p className="results-more">{more}</p>}
      {view.kind === 'loaded' && ages && <p className="results-more">{ages}</p>}
      {unread.length > 0 && (
        <ul className="address-notes">
          {unread.map((each) => (
            <li key={each.part}>{addressNote(each, currentSearch(state), today)}</li>
          ))}
        </ul>
      )}
    </>
  );
}
