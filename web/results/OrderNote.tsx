import { isByPriceScore, type SortBy, sortLabel } from '../../domain/sort-by.ts';
import { useSearchContext } from '../search/search-context.tsx';

/** The orders whose labels do not say what they compare. */
const MEANINGS: Partial<Record<SortBy, string>> = {
  default: 'Price low to high',
  'value-desc': 'Furthest below the price we’d expect',
  'drop-desc': 'Largest fall in 30 days',
};

/** Says what the order is and, if only the loaded results are in that order, how many they are. */
export function OrderNote() {
  const { state, config } = useSearchContext();
  const { results, shown } = state;
  const { sortBy } = shown;
  const isOfLoaded = isByPriceScore(sortBy) || (sortBy === 'rating-desc' && !config.facets);
  const loaded = isOfLoaded && results?.hasMoreData ? `, of the ${results.packages.length} loaded` : '';
  return (
    <p className="order-note">
      {`${MEANINGS[sortBy] ?? sortLabel(sortBy)}${loaded}. Providers can’t pay to appear higher.`}
    </p>
  );
}
