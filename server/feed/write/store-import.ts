import type { FeedDictionaries, RecordTransaction } from '../map/feed-dictionaries.ts';
import type { Difference, StagedLines } from './difference.ts';
import type { Staging } from './staging.ts';

/** How an import compares a staged feed with the store and writes it. Each engine has its own way. */
export interface StoreImport {
  /** Adds the feed's new records to the store while it is read. Null: `apply` adds them. */
  readonly records: RecordTransaction | null;
  compare(feed: ComparedFeed): Difference;
  /** Writes what `compare` found: all of it or nothing. */
  apply(feed: AppliedFeed): void;
  /** Forgets what `compare` has staged in the store, and releases what the import has reserved. */
  close(): void;
}

export interface ComparedFeed {
  /** The provider's code. */
  code: string;
  staging: Staging;
  /** The provider's id; null: it is new. */
  provider: number | null;
  lines: StagedLines;
}

export interface AppliedFeed {
  code: string;
  staging: Staging;
  dictionaries: FeedDictionaries;
  difference: Difference;
  /** Packages of every provider that depart before this day are removed. */
  firstDay: number;
  /** The state of the dictionaries when the import read them; see `referenceState`. */
  version: string;
  /** Called in each transaction first; throws if the import must not write any more. */
  check: () => void;
  /** Called with the number of packages written so far. */
  onWritten: (packages: number) => void;
  /** Writes the notes that belong to the import. */
  finish: () => void;
}

/** For an import whose ids may have lost their meaning. */
export const STORE_CHANGED = 'The store has changed since the import began; nothing was written. Try again.';
