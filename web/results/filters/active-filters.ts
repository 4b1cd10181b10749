import { type Airport, airportName } from '../../../domain/airport.ts';
import { boardBasisWords } from '../../../domain/board-basis.ts';
import { REFINE_KEYS, type RefineKey, withRefine } from '../../../domain/refinements.ts';
import type { ResultFilters } from '../../../domain/result-filters.ts';
import type { PageConfig } from '../../config/page-config.ts';

/** An active filter in words, and the change that removes it. */
export interface ActiveFilter {
  words: string;
  cleared: Partial<ResultFilters>;
}

/** The active filters, in the order of the filter sheet. */
export function activeFilters(
  { boardBasis, starRating, refine }: ResultFilters,
  { providers }: Pick<PageConfig, 'providers'>,
  airports: readonly Airport[],
): ActiveFilter[] {
  const words: Record<RefineKey, (value: string) => string> = {
    price: (range) =>
      range
        .split('-')
        .map((pounds) => `£${Number(pounds).toLocaleString('en-GB')}`)
        .join(' to '),
    boards: boardBasisWords,
    minstars: starWords,
    rating: (least) => `Guests: ${least} and up`,
    out: (range) => `Out ${range.replace('-', ' to ')}`,
    back: (range) => `Back ${range.replace('-', ' to ')}`,
    airports: (code) => airportName(airports, code),
    airlines: (name) => name,
    providers: (code) => providers[code]?.name ?? code,
    bags: () => 'Bag included',
    freechild: () => 'Free child place',
    hotelcode: () => 'All rooms and boards of one hotel',
    hotel: (text) => `Hotel: ${text}`,
  };
  const active: ActiveFilter[] = [];
  if (boardBasis !== '') active.push({ words: boardBasisWords(boardBasis), cleared: { boardBasis: '' } });
  if (starRating !== '') active.push({ words: `${starRating} star`, cleared: { starRating: '' } });
  for (const key of REFINE_KEYS) {
    const values = refine[key] ?? [];
    for (const value of values) {
      const others = values.filter((each) => each !== value);
      active.push({ words: words[key](value), cleared: { refine: withRefine(refine, key, others) } });
    }
  }
  return active;
}

/** '4 stars and up'. */
export function starWords(least: string): string {
  return `${least} ${least === '1' ? 'star' : 'stars'} and up`;
}
