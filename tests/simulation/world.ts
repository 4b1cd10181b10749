import type { DatabaseSync } from 'node:sqlite';
import type { FeedServer } from './feed-servers.ts';
import type { saleModel } from './sale-model.ts';

/** What the parts of a simulation share. */
export interface World {
  dataDir: string;
  providers: readonly Provider[];
  /** The provider that an operator has removed from providers.json. */
  unlisted: Provider | null;
  /**
   * When the machine last had trouble, in ms on the steady clock: a death, a full disk, a lock, a stopped server, a
   * wrong clock.
   */
  troubledAt: number;
  /** The product's store, read only. Null: there is none yet. */
  store: DatabaseSync | null;
  providerOf: (code: string) => Provider;
  /** Adds an event to the trace. */
  record: (line: string) => void;
  /** Ends the simulation. */
  fail: (message: string) => void;
}

/** A provider's server, and what of it should be on sale. */
export interface Provider {
  code: string;
  server: FeedServer;
  model: ReturnType<typeof saleModel>;
}
