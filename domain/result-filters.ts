import { BOARD_BASIS, boardBasisWords } from './board-basis.ts';
import type { Refine } from './refinements.ts';

/** Filters for a search's results: two from Section 7, where '' means any, and further ones. */
export interface ResultFilters {
  boardBasis: string;
  /** Whole stars, from '1' to '5'. */
  starRating: string;
  /** Only for servers that offer them. */
  refine: Refine;
}

export const NO_FILTERS: ResultFilters = { boardBasis: '', starRating: '', refine: {} };

/** The most common boards, from the most inclusive to the least. */
export const BOARD_OPTIONS: readonly { value: string; label: string }[] = [
  'AI',
  'FB',
  'HB',
  'BB',
  'RO',
  'SC',
].map((value) => ({ value, label: boardBasisWords(value) }));

export const STAR_OPTIONS: readonly { value: string; label: string }[] = ['5', '4', '3', '2'].map(
  (value) => ({
    value,
    label: `${value} stars`,
  }),
);

/** The board code in `text`, ignoring case; null if `text` is not a board code. */
export function parseBoardBasis(text: string): string | null {
  const code = text.trim().toUpperCase();
  return Object.hasOwn(BOARD_BASIS, code) ? code : null;
}

/** The stars in `text` as a whole number (Section 5): '4.5' becomes 4. Null unless from 1 to 5. */
export function parseStarRating(text: string): string | null {
  const stars = Number.parseInt(text, 10);
  return stars >= 1 && stars <= 5 ? String(stars) : null;
}

export function hasFilters(filters: ResultFilters): boolean {
  return countFilters(filters) > 0;
}

/** The number of active filters; each value of a filter counts. */
export function countFilters({ boardBasis, starRating, refine }: ResultFilters): number {
  return [boardBasis, starRating, ...Object.values(refine).flat()].filter(Boolean).length;
}
