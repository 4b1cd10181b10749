import type { Destination } from '../../domain/destination.ts';
import type { OtherNames } from '../../domain/other-names.ts';
import type { referenceState } from '../inventory/tables/reference-tables.ts';
import type { SqlSession } from '../storage/sql-database.ts';
import type { Attempt, NotedLines } from './attempts/attempt-table.ts';
import type { feedSequence } from './changed-packages.ts';
import type { PlaceCount } from './feed-findings.ts';
import type { FeedProfile } from './feed-profile.ts';
import type { FormatName } from './formats/feed-format.ts';
import type { FeedMapping } from './formats/mapped/mapping.ts';
import type { FeedAirports } from './map/feed-airports.ts';
import type { FeedDictionaries } from './map/feed-dictionaries.ts';
import type { RowCounts } from './map/feed-package.ts';
import type { HolidayProvider } from './map/holiday-providers.ts';
import type { RefusalFile } from './refusal-file.ts';
import type { FeedMeasure, PriceMeasure, priceCounter } from './write/import-guardrails.ts';
import type { ImportLease } from './write/import-lease.ts';
import type { KnownLines, lineWriter } from './write/line-file.ts';
import type { FeedStore } from './write/open-feed-store.ts';
import type { SeenOffers } from './write/seen-again.ts';
import type { holdSharedHotels } from './write/shared-hotels.ts';
import type { Difference, FeedPart } from './write/staged-lines.ts';
import type { Staging } from './write/staging.ts';

export interface ImportOrder {
  /** The feed's file. */
  path: string;
  /** Null: detected. */
  format: FormatName | null;
  mapping: FeedMapping | null;
  provider: HolidayProvider;
  airports: FeedAirports;
  destinations: readonly Destination[];
  otherNames: OtherNames;
  /** The feed has only what changed since the last feed. */
  isChanges: boolean;
  /** The attempt that gave the store its packages. */
  last: Attempt | null;
  /** When the file was made. */
  madeAt: number;
  /** The same file was imported before. */
  isRepeated: boolean;
  /** Overrides the guardrails. */
  isAccepted: boolean;
  /** Puts quarantined prices on sale. */
  releasesPrices: boolean;
  /** The feed was imported before with other settings of the provider. */
  isReapplied: boolean;
  /** Finds the difference and writes nothing. */
  isTrial: boolean;
  /** The measures of earlier good feeds from the last seven days. */
  lately: readonly PriceMeasure[];
  stagingFolder: string;
  /** A digest of the settings and lists that give lines their meaning. */
  basis: string;
  /** Where the lines of an attempt are noted. */
  linesOf: (attempt: number) => string;
  /** This attempt. */
  attempt: number;
  report: RefusalFile;
  /** Called in the transaction that writes the import. */
  onWriting: (tx: SqlSession, outcome: ImportOutcome) => Promise<void>;
  now: () => number;
  onProgress: (phase: string, detail: string) => void;
}

export interface ImportOutcome {
  kind: 'imported' | 'unchanged' | 'held' | 'tried';
  format: FormatName;
  counts: RowCounts;
  difference: Difference;
  /** Why the import is kept for review, or would be without `isAccepted`. */
  reasons: string[];
  measure: FeedMeasure;
  /** What an expert would look at: of a first feed, or in a check. */
  profile: string[];
  /** The feed's sequence number; null: it has none. */
  sequence: number | null;
  /** The largest price moves, in words. */
  moves: string[];
  /** Places of the feed's packages that are not on the destination list. */
  unlisted: PlaceCount[];
  /** What the next import may skip; null: nothing. */
  lines: NotedLines | null;
  took: { reading: number; comparing: number; writing: number };
}

/** What the steps of an import share. */
export interface RunningImport {
  store: FeedStore;
  lease: ImportLease;
  order: ImportOrder;
  staging: Staging;
  dictionaries: FeedDictionaries;
  /** The provider's id in the store; null: the store does not know it. */
  stored: number | null;
  sequence: ReturnType<typeof feedSequence>;
  /** Null: the feed describes no hotels of other providers. */
  sharedHotels: Awaited<ReturnType<typeof holdSharedHotels>> | null;
  /** The reference data and the table of charges that the import began with. */
  version: Awaited<ReturnType<typeof referenceState>>;
  charges: string | null;
  startedAt: number;
  firstDay: number;
  seenAt: number;
  counts: RowCounts;
  /** The provider's packages before the import. */
  before: FeedMeasure;
  prices: ReturnType<typeof priceCounter>;
  /** The last feed's lines, which need no reading; null: all lines are read. */
  known: KnownLines | null;
  part: FeedPart | null;
  /** The stored packages that a part of a feed does not touch. */
  untouched: SeenOffers;
  /** Where this feed's lines are noted; null: nowhere. */
  writer: ReturnType<typeof lineWriter> | null;
  /** Places that are not on the destination list, by resort. */
  unlisted: Map<number, Omit<PlaceCount, 'place'>>;
  /** The last departure so far. */
  until: number;
  /** Only of a first feed, and in a check. */
  profile: FeedProfile | null;
}
