import type { Readable, Writable } from 'node:stream';
import type { ChargeTable } from '../../domain/local-charges.ts';
import type { OtherNames } from '../../domain/other-names.ts';
import type { OpenOptions } from '../storage/open/database.ts';
import type { SqlDatabase, SqlSession } from '../storage/sql-database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { Attempt, AttemptDetail } from './attempts/attempt-table.ts';
import type { FeedArchive } from './attempts/feed-archive.ts';
import type { FormatName } from './formats/feed-format.ts';
import type { FeedMapping } from './formats/mapped/mapping.ts';
import type { HolidayProvider, ProvidersFile } from './map/holiday-providers.ts';

export interface FeedOptions {
  store: StoreAddress;
  /** For tests: shorter lock timeouts. */
  openOptions?: OpenOptions;
  /** The folder of the reports, the stored feeds and the staging file. */
  dataDir: string;
  /** The folders of the lists that visitors choose from. */
  lists: { locations: string; airports: string; otherNames?: OtherNames };
  /** Relative paths are resolved against it. */
  workingDir: string;
  hosts: readonly string[];
  providers: ProvidersFile;
  /** Undefined: the store keeps its table of local charges. */
  charges?: ChargeTable;
  input: Readable;
  out: (line: string) => void;
  progress: Writable;
  now: () => number;
  /** What is wrong with feeds, for `status`. */
  problems?: (database: SqlDatabase) => Promise<readonly string[]>;
  /** For tests: pauses between two tries to take a lease. */
  pause?: (ms: number) => Promise<unknown>;
}

/** Where a feed comes from: an operator's file or URL, the provider's block, or an earlier attempt. */
export type JobSource =
  | { kind: 'named'; name: string; format: FormatName | null; mapping: string | null }
  | { kind: 'block' | 'changes' }
  /** `onWriting` is called in the transaction that writes the import. */
  | {
      kind: 'stored';
      attempt: Attempt;
      why: string;
      onWriting?: (tx: SqlSession) => Promise<void>;
      /** Releases no quarantined price, even if the feed is accepted. */
      keepsQuarantine?: boolean;
    };

export interface FeedJob {
  provider: HolidayProvider;
  source: JobSource;
  /** Overrides the guardrails. */
  isAccepted: boolean;
  /** Finds what an import would do, and writes nothing. */
  isTrial: boolean;
}

/** A job with its attempt. */
export interface RunningJob extends FeedJob {
  id: number;
  detail: AttemptDetail;
  archive: FeedArchive;
  /** Whether the feed has changes only. */
  isChanges: boolean;
  /** The other attempts, the latest first. */
  earlier: readonly Attempt[];
  /** The attempt that gave the store its packages. */
  last: Attempt | null;
  /** Where the fetched feed is stored. */
  path: string;
  mapping: MappingFile | null;
}

/** What is known before the attempt begins. */
export type StartingJob = Omit<RunningJob, 'id' | 'path' | 'mapping'>;

export interface MappingFile {
  text: string;
  mapping: FeedMapping;
}
