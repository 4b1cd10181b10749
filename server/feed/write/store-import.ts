import type { SqlSession, SqlTransaction } from '../../storage/sql-database.ts';
import type { FeedDictionaries, RecordTransaction } from '../map/feed-dictionaries.ts';
import type { Difference, FeedPart, MoveLimits, StagedLines } from './difference.ts';
import type { Staging } from './staging.ts';

/** How an import compares a staged feed with the store and writes it, on each engine. */
export interface StoreImport {
  /** Adds the feed's new records while it is read. Null: `apply` adds them. */
  readonly records: RecordTransaction | null;
  compare(feed: ComparedFeed): Promise<Difference>;
  /** Writes what `compare` found, all or nothing. */
  apply(feed: AppliedFeed): Promise<void>;
  /** Clears what `compare` has staged in the store, and releases the import's locks. */
  close(): Promise<void>;
}

export interface ComparedFeed {
  code: string;
  staging: Staging;
  /** The provider's id; null: it is new. */
  provider: number | null;
  lines: StagedLines;
  limits: MoveLimits;
  /** Null: the whole feed is staged. */
  part: FeedPart | null;
  /**
   * Only a price check can have seen a stored offer after this minute. Its price stays if this feed's file is older.
   * Null: there are no checks.
   */
  checkedAfter: number | null;
}

export interface AppliedFeed {
  code: string;
  staging: Staging;
  dictionaries: FeedDictionaries;
  difference: Difference;
  part: FeedPart | null;
  /** Packages of every provider that depart before this day are removed. */
  firstDay: number;
  /** The state of the dictionaries when the import read them (`referenceState`). */
  version: string;
  /** Called first in each transaction; throws if the import may no longer write. */
  check: (tx: SqlSession) => Promise<void>;
  /** Called with the number of packages written so far. */
  onWritten: (packages: number) => void;
  /** Writes the import's notes. */
  finish: (tx: SqlTransaction) => Promise<void>;
}

/** The import's ids may have lost their meaning. */
export const STORE_CHANGED = 'The store has changed since the import began; nothing was written. Try again.';
