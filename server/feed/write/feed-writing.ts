import type { OfferRow } from '../../inventory/inventory.ts';
import type { ReferenceRecords } from '../../inventory/tables/reference-tables.ts';
import type { Difference, StagedLines } from './difference.ts';
import type { Staging } from './staging.ts';

/** How an import compares a staged feed with the store and writes it. Each engine has its own way. */
export interface FeedWriting {
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
  /**
   * The provider's id; null: it is new. The number that its import has given it may be that of another new provider by
   * now.
   */
  provider: number | null;
  lines: StagedLines;
}

/** What became of the numbers of a feed's new records after another import has stored records. */
export type Renumbering =
  | { kind: 'same' }
  /** Maps a row of the feed to the numbers that are stored. */
  | { kind: 'moved'; map: (row: OfferRow) => OfferRow }
  /** A hotel that both have found is in different resorts. */
  | { kind: 'conflict' };

/** The feed's records in the dictionaries. */
export interface NumberedDictionaries {
  readonly provider: number;
  hasChanges(): boolean;
  additions(): ReferenceRecords;
  updates(): ReferenceRecords;
  renumber(): Renumbering;
}

export interface AppliedFeed {
  code: string;
  staging: Staging;
  dictionaries: NumberedDictionaries;
  difference: Difference;
  /** Packages of every provider that depart before this day are removed. */
  firstDay: number;
  /** The state of the dictionaries when the import read them; see `referenceState`. */
  version: string;
  /** Called in each transaction first; throws if the import must not write any more. */
  check: () => void;
  /** Called with the number of packages written so far. */
  onWritten: (packages: number) => void;
  /** Writes the notes that belong to the import. `provider` is the provider's id in the store. */
  finish: (provider: number) => void;
}

/** An import is told this if the store has changed in a way that it cannot follow. */
export const STORE_CHANGED = 'The store has changed since the import began; nothing was written. Try again.';
