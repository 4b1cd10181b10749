import { lazyCode } from '../../ui/lazy-part.tsx';

/** The filters, loaded with the results of a wide screen, else with the first interaction. */
export const filtersCode = lazyCode(() => import('./filters.ts'));
