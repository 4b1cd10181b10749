import type { SortBy } from '../../domain/sort-by.ts';
import { useSearchContext } from '../search/search-context.tsx';

const ORDERS: Record<SortBy, string> = {
  default: 'Lowest price first',
  'price-asc': 'Lowest price first',
  'price-desc': 'Highest price first',
  'date-asc': 'Earliest departure first',
  'date-desc': 'Latest departure first',
  'stars-desc': 'Most stars first',
  'stars-asc': 'Fewest stars first',
  'rating-desc': 'Best guest rating first',
  'value-desc': 'Furthest below the price we’d expect first',
  'drop-desc': 'Furthest below its usual price first',
};

/** Says what the order is, and of how many results if the server did not sort all of them. */
export function OrderNote() {
  const { state, config } = useSearchContext();
  const { results, preferences } = state;
  const { sortBy } = preferences;
  const isOfLoaded =
    sortBy === 'value-desc' || sortBy === 'drop-desc' || (sortBy === 'rating-desc' && !config.facets);
  const loaded = isOfLoaded && results?.hasMoreData ? `, of the ${results.packages.length} loaded` : '';
  return <p className="order-note">{`${ORDERS[sortBy]}${loaded}. Providers can’t pay for a place.`}</p>;
}
