import type { BadInput } from './search-request.ts';

/**
 * Price blocks that one answer may read. Each is a month's departures from one airport to one resort with one length of
 * stay, about 4 µs of processor time. Spain over 18 months from every airport of the sample has 27,740.
 */
export const MOST_BLOCKS = 28_000;

/** The same where every package of the blocks is read (`SEARCH_COLLAPSE=none`), at 40 µs a block. */
export const MOST_BLOCKS_OF_PACKAGES = 2_500;

/** The refusal of a search that would read more. */
export function tooWide(): BadInput {
  return {
    kind: 'bad-input',
    field: 'filters',
    message:
      'filters match too much of the inventory for one answer. Name a country, region or resort, fewer departure airports, a duration, or a shorter window.',
  };
}
