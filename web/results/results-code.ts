import { lazyCode } from '../ui/lazy-code.ts';

/** The code that fetches, parses and renders results, which the form does not need: loaded when a search is likely. */
export const resultsCode = lazyCode('results code', () => import('./results-chunk.ts'));
