import type { AskStore } from './search-store.ts';
import { readStoreState, type StoreState } from './store-state.ts';

/** A replica may be a state behind another server for a while: both are held. */
const HELD = 3;

/** The states that were seen lately, each read once. */
export interface HeldStates {
  /** The one that was asked for last, or null. */
  latest(): StoreState | null;
  /** The state of a version; `ask` asks the store as it stands in it. */
  at(version: string, ask: AskStore): Promise<StoreState>;
}

export function heldStates(): HeldStates {
  const held = new Map<string, Promise<StoreState>>();
  let latest: StoreState | null = null;
  return {
    latest: () => latest,
    async at(version, ask) {
      if (latest?.version === version) return latest;
      const reading = held.get(version) ?? readStoreState(version, ask);
      held.delete(version);
      held.set(version, reading);
      const [oldest] = held.keys();
      if (held.size > HELD && oldest !== undefined) held.delete(oldest);
      try {
        latest = await reading;
        return latest;
      } catch (error) {
        // A reading that failed is no answer to the next question.
        if (held.get(version) === reading) held.delete(version);
        throw error;
      }
    },
  };
}
