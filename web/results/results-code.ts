import { lazyCode } from '../ui/lazy-code.ts';

/** The code that fetches, parses and renders results, loaded when a search is likely. */
export const resultsCode = lazyCode('results code', () => import('./LoadedResults.tsx'));
