import { lazyCode } from '../ui/lazy-part.tsx';

/** The code that fetches, parses and renders results, loaded when a search is likely. */
export const resultsCode = lazyCode(() => import('./LoadedResults.tsx'));
