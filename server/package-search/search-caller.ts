import { type Caller, INTERNAL_CALLER } from '../lib/caller.ts';

export interface SearchCaller extends Caller {
  /** The cost of the whole request, in the units of `search-cost.ts`. */
  units: number;
}

/** The server itself: its searches are small. */
export const INTERNAL_SEARCH: SearchCaller = { ...INTERNAL_CALLER, units: 1 };
