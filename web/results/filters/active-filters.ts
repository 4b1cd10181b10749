import { boardBasisWords } from '../../../domain/board-basis.ts';
import { REFINE_KEYS, withRefine } from '../../../domain/refinements.ts';
import type { ResultFilters } from '../../../domain/result-filters.ts';
import { type FilterNames, filterWords } from './facet-groups.ts';

/** An active filter in words, and the change that removes it. */
export interface ActiveFilter {
  words: string;
  cleared: Partial<ResultFilters>;
}

/** The active filters, in the order of the filter sheet. */
export function activeFilters(
  { boardBasis, starRating, refine }: ResultFilters,
  names: FilterNames,
): ActiveFilter[] {
  const active: ActiveFilter[] = [];
  if (boardBasis !== '') active.push({ words: boardBasisWords(boardBasis), cleared: { boardBasis: '' } });
  if (starRating !== '') active.push({ words: `${starRating} star`, cleared: { starRating: '' } });
  for (const key of REFINE_KEYS) {
    const values = refine[key] ?? [];
    for (const value of values) {
      const others = values.filter((each) => each !== value);
      const cleared = { refine: withRefine(refine, key, others) };
      active.push({ words: filterWords(key, value, names), cleared });
    }
  }
  return active;
}
