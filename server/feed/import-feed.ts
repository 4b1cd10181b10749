import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { parseAirports } from '../../domain/airport.ts';
import { parseDestinations } from '../../domain/destination.ts';
import type { ChargeTable } from '../../domain/local-charges.ts';
import { applyCharges } from '../ingest/apply-charges.ts';
import type { OpenOptions } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { ImportCommand } from './feed-arguments.ts';
import { feedProgress, type ProgressOut } from './feed-progress.ts';
import { importSummary, refusals, uncleared } from './import-summary.ts';
import { feedAirports } from './map/feed-airports.ts';
import type { HolidayProvider, ProvidersFile } from './map/holiday-providers.ts';
import { openRefusalFile, removeOldReports } from './refusal-file.ts';
import { type ImportOutcome, runImport } from './run-import.ts';
import { isPath } from './source/open-source.ts';
import type { ImportLease } from './write/import-lease.ts';
import { type FeedStore, openFeedStore } from './write/open-feed-store.ts';

export interface FeedOptions {
  store: StoreAddress;
  /** For tests: shorter lock timeouts. */
  openOptions?: OpenOptions;
  /** Has the reports and the staging file. */
  dataDir: string;
  /** The folders of the lists that visitors choose from. */
  lists: { locations: string; airports: string };
  /** Relative paths are resolved against it. */
  workingDir: string;
  hosts: readonly string[];
  providers: ProvidersFile;
  /** Undefined: the store keeps its table of local charges. */
  charges?: ChargeTable;
  input: Readable;
  out: (line: string) => void;
  progress: ProgressOut;
  now: () => number;
}

/** Imports or checks a feed, and prints its progress and summary. */
export async function importFeed(
  command: ImportCommand,
  provider: HolidayProvider,
  lease: ImportLease,
  options: FeedOptions,
): Promise<ImportOutcome['kind']> {
  const { dataDir, lists, workingDir, now, out } = options;
  const reports = join(dataDir, 'feed-reports');
  const report = openRefusalFile(join(reports, `${provider.code}-${timestamp(now())}.jsonl`));
  removeOldReports(reports, provider.code);
  const progress = feedProgress(options.progress, now);
  let store: FeedStore | null = null;
  let outcome: ImportOutcome | null = null;
  try {
    if (options.charges !== undefined && command.kind === 'import')
      await applyCharges(options.store, options.charges);
    store = openFeedStore(options.store, options.openOptions ?? {});
    outcome = await runImport(store, lease, {
      source: isPath(command.source) ? resolve(workingDir, command.source) : command.source,
      input: options.input,
      hosts: options.hosts,
      format: command.format,
      mappingPath: command.mapping === null ? null : resolve(workingDir, command.mapping),
      provider,
      airports: feedAirports(
        parseAirports(readFileSync(join(lists.airports, 'departure-airports.csv'), 'utf8')),
        options.providers.airports,
      ),
      destinations: parseDestinations(readFileSync(join(lists.locations, 'locations.csv'), 'utf8')),
      isAccepted: command.accept,
      isTrial: command.kind === 'check',
      stagingFolder: join(dataDir, `feed-staging-${provider.code}`),
      sourceFolder: join(dataDir, `feed-source-${provider.code}`),
      report,
      now,
      onProgress: progress.update,
    });
  } finally {
    store?.database.close();
    progress.stop();
    report.close();
    if (outcome === null) for (const line of refusals(report)) out(line);
  }
  for (const line of importSummary(outcome, provider.code, report)) out(line);
  if (outcome.clearingError !== undefined) out(uncleared(outcome.clearingError));
  return outcome.kind;
}

/** Such as 20270501T063000, in UTC. */
function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]/g, '').slice(0, 15);
}
