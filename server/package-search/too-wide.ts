import type { BadInput } from './search-request.ts';

/** The refusal of a question that would read more than `MOST_BLOCKS`. */
export function tooWide(): BadInput {
  return {
    kind: 'bad-input',
    field: 'filters',
    message:
      'filters match too much of the inventory for one answer. Name a country, region or resort, fewer departure airports, a duration, or a shorter window.',
  };
}
