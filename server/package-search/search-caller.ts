import { type Caller, INTERNAL_CALLER } from '../lib/caller.ts';
import type { Rest } from '../lib/work-queue/pieces.ts';

/** Who waits for a search, and what it costs. */
export interface SearchCaller extends Caller {
  /** The cost of this search, in the units of `search-cost.ts`. */
  units: number;
  /** The cost of the whole request that it belongs to: many small searches in one request are not small together. */
  requestUnits: number;
  /** Its network asks for more than its share of the main thread, so its searches leave that to others. */
  isHeldBack: boolean;
  /**
   * Resolves when what a store has found may be made into an answer, which keeps the main thread busy: for a large request,
   * not before all of its fields have been found. Rejects with `Overloaded` or `CallerGone`. Null: at once.
   */
  answerTurn(): Promise<void> | null;
  /**
   * Runs a search of so many units in another thread, when its network may have more of that. Rejects with `Overloaded` or
   * `CallerGone`.
   */
  inThread<T>(units: number, search: (caller: Caller) => Promise<T>): Promise<T>;
  /** Called when its search has kept the main thread busy for `ms` outside its turns. Resolves at its next turn. */
  rest: Rest;
}

/** The server itself: its searches are small. */
export const INTERNAL_SEARCH: SearchCaller = {
  ...INTERNAL_CALLER,
  units: 1,
  requestUnits: 1,
  isHeldBack: false,
  answerTurn: () => null,
  inThread: (_units, search) => search(INTERNAL_CALLER),
  rest: async () => {},
};
