import { lazyCode } from '../ui/lazy-code.ts';

/** What asking, reading and painting results takes, and the form does without: fetched on the first sign of a search. */
export const resultsCode = lazyCode('results code', () => import('./results-chunk.ts'));
