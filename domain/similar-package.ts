import type { CalendarDate } from './calendar-date.ts';
import { daysBetween } from './calendar-date.ts';

/** What decides whether one package is as good as another (ruling 14). */
export interface ComparablePackage {
  country: string;
  region: string;
  resort: string;
  departure: CalendarDate;
  nights: number;
  /** Adults, children and infants. */
  party: string;
  /** Code of the departure airport. */
  airport: string;
  /** Board basis code. */
  board: string;
  /** Half stars: 9 is 4.5 stars. */
  halfStars: number;
}

/** Days that a similar package may depart earlier or later. */
export const SIMILAR_DAYS = 3;

/**
 * Boards from the least to the most that is served. Codes that are not here (a catered chalet, fly-drive, what
 * varies) are compared with nothing: only the same code is as good.
 */
const BOARDS_BY_MEALS = ['RO', 'SC', 'CB', 'BB', 'HB', 'DH', 'FB', 'FP', 'AI', 'AP'];

/**
 * Whether a package is the watched one or similar to it: same resort, nights and party, board at least as good,
 * stars no fewer, departing within three days of it from one of `airports`: the codes of its own airport and of
 * all others in that airport's regions.
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

/** Whether `board` gives at least what `watched` gives. */
export function isBoardAsGood(watched: string, board: string): boolean {
  if (board === watched) return true;
  const least = BOARDS_BY_MEALS.indexOf(watched);
  return least >= 0 && BOARDS_BY_MEALS.indexOf(board) >= least;
}
