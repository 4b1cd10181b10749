import { lazyCode } from '../ui/lazy-code.ts';

/** What searching in the two lists and painting what is found takes: fetched on the first sign of a visitor in the form. */
export const listSearchCode = lazyCode('search in the lists', () => import('./list-search-chunk.ts'));
