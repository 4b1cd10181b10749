import { useSearchContext } from '../search/search-context.tsx';
import { currentSearch } from '../search/search-state.ts';
import { addressNote } from './address-note.ts';
import { moreNote } from './more-note.ts';
import type { ResultsView } from './results-view.ts';

/** What else there is to say of the search under its headline: what more there is, and what its address cannot mean. */
export function HeadlineNotes({ view }: { view: ResultsView }) {
  const { state, today } = useSearchContext();
  const { results, unread } = state;
  const more = view.kind === 'loaded' && moreNote(view.page.totalResults, results?.count ?? 0, view.hasMore);
  return (
    <>
      {more && <p className="results-more">{more}</p>}
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
