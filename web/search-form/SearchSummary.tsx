import { formatBriefDay } from '../../domain/day-words.ts';
import { shortName } from '../../domain/destination.ts';
import { daysWords, nightsWords, orWords } from '../../domain/flexibility.ts';
import { isDefaultParty, partyWords } from '../../domain/party.ts';
import { useSearchContext } from '../search/search-context.tsx';
import type { SearchTrip } from '../search/search-url.ts';

interface SearchSummaryProps {
  formId: string;
  isEditing: boolean;
  onToggle: () => void;
  /** Aborts the running search and opens the form. */
  onModify: () => void;
}

/** The search in a line; a press opens the form. While a search runs, 'Modify Search' is beside it. */
export function SearchSummary({ formId, isEditing, onToggle, onModify }: SearchSummaryProps) {
  const { state } = useSearchContext();
  return (
    <div className="search-summary">
      <button type="button" aria-expanded={isEditing} aria-controls={formId} onClick={onToggle}>
        <span>
          <span className="visually-hidden">{isEditing ? 'Close the form: ' : 'Edit search: '}</span>
          {summaryWords(state)}
        </span>
      </button>
      {state.loading && !isEditing && (
        <button type="button" className="button-quiet modify-button" onClick={onModify}>
          Modify Search
        </button>
      )}
    </div>
  );
}

function summaryWords(trip: SearchTrip): string {
  const { destination, departureAirport, date, duration, party, flexibility } = trip;
  if (destination === null || departureAirport === null) return 'Your search';
  const parts = [
    orWords([destination, ...flexibility.places].map(shortName)),
    date && formatBriefDay(date) + daysWords(flexibility),
    nightsWords(duration, flexibility),
    departureAirport.name,
    !isDefaultParty(party) && partyWords(party),
  ];
  return parts.filter(Boolean).join(' · ');
}
