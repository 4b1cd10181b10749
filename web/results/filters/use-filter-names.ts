import type { FilterNames } from '../../../domain/filters.ts';
import { useSearchContext } from '../../search/search-context.tsx';

/** What the codes of chosen filters stand for, as far as the page's lists are loaded. */
export function useFilterNames(): FilterNames {
  const { state, config } = useSearchContext();
  const airports = state.airports.status === 'stored' ? state.airports.value : [];
  return { airports, providers: config.providers };
}
