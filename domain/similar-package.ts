import type { CalendarDate } from './calendar-date.ts';
import { daysBetween } from './calendar-date.ts';

/** The traits that determine similarity. */
export interface ComparablePackage {
  country: string;
  region: string;
  resort: string;
  departure: CalendarDate;
  nights: number;
  party: string;
  airport: string;
  board: string;
  /** In half stars: 9 is 4.5 stars. */
  halfStars: number;
}

/** A similar package may depart this many days earlier or later. */
export const SIMILAR_DAYS = 3;

/** Boards from the fewest to the most meals. Any other code matches only itself. */
const BOARDS_BY_MEALS = ['RO', 'SC', 'CB', 'BB', 'HB', 'DH', 'FB', 'FP', 'AI', 'AP'];

/**
 * Whether a package is the watched one or a similar one: same resort, nights and party, at least as good a
 * board, at least as many stars, and a departure within three days. `airports` are the watched airport and
 * all others in its regions.
 */
export function isSimilarPackage(
  watched: ComparablePackage,
  other: ComparablePackage,
  airports: ReadonlySet<string>,
): boolean {
  return (
    other.resort === watched.resort &&
    other.region === watched.region &&
    other.country === watched.country &&
    other.nights === watched.nights &&
    other.party === watched.party &&
    other.halfStars >= watched.halfStars &&
    Math.abs(daysBetween(watched.departure, other.departure)) <= SIMILAR_DAYS &&
    isBoardAsGood(watched.board, other.board) &&
    airports.has(other.airport)
  );
}

/** Whether `board` includes at least what `watched` includes. */
export function isBoardAsGood(watched: string, board: string): boolean {
  if (board === watched) return true;
  const least = BOARDS_BY_MEALS.indexOf(watched);
  return least >= 0 && BOARDS_BY_MEALS.indexOf(board) >= least;
}
