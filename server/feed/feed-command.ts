import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { parseAirports } from '../../domain/airport.ts';
import { parseDestinations } from '../../domain/destination.ts';
import { removeUnusedRecords } from '../inventory/tables/remove-unused-records.ts';
import { errorMessage } from '../lib/error-message.ts';
import { HISTORY_REFERENCES } from '../price-history/price-observer.ts';
import { type OpenOptions, openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { isStoreLocked } from '../storage/store-locked.ts';
import { feedAirports } from './feed-airports.ts';
import { feedProgress, type ProgressOut } from './feed-progress.ts';
import { FEED_FORMATS, type FormatName } from './formats/feed-format.ts';
import { plainLine } from './formats/feed-text.ts';
import { FeedFault } from './formats/raw-row.ts';
import { importSummary, refusals } from './import-summary.ts';
import type { ProviderSetting, ProvidersFile } from './provider-settings.ts';
import { openRefusalFile, removeOldReports } from './refusal-file.ts';
import { runImport } from './run-import.ts';
import { isPath } from './source/open-source.ts';
import { type ImportLease, LeaseLost, type TakenLease, takeLease } from './write/import-lease.ts';
import { openFeedStore } from './write/open-feed-store.ts';
import { removeProvider } from './write/remove-provider.ts';
import { readLastImports } from './write/store-notes.ts';

/** How the command ends: its exit code. */
export const EXIT = { done: 0, refused: 1, usage: 2, held: 3, busy: 4 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const FEED_HELP = `Imports providers' feeds.

  npm run feed -- import SOURCE [--provider CODE] [--format FORMAT] [--mapping FILE] [--accept]
  npm run feed -- check SOURCE [--provider CODE] [--format FORMAT] [--mapping FILE]
  npm run feed -- status
  npm run feed -- remove --provider CODE

SOURCE is a file, - for the standard input, or an https address whose host is in FEED_HOSTS; plain, gzip or zip.
FORMAT is ${FEED_FORMATS.join(', ')}; left out, it is told from the feed. awin-csv needs a mapping.
--provider may be left out where providers.json has one. check says what an import would do and changes nothing. --accept imports what was held back.
The provider stands in providers.json (PROVIDERS_FILE). docs/feeds.md tells the whole.

It ends with 0: done; 1: refused, nothing changed; 2: asked wrongly; 3: held back, nothing changed; 4: another import runs or the store is locked, nothing changed.
`;

/** What the command works with. */
export interface FeedCommandSetting {
  store: StoreAddress;
  /** For tests: how long a lock is waited for. */
  openOptions?: OpenOptions;
  /** Where reports and the staging stand. */
  dataDir: string;
  /** The folders of the lists that visitors choose from. */
  lists: { locations: string; airports: string };
  /** What paths are relative to. */
  workingDir: string;
  hosts: readonly string[];
  providers: ProvidersFile;
  input: Readable;
  out: (line: string) => void;
  progress: ProgressOut;
  now: () => number;
}

/** Runs the feed command with its arguments. */
export async function feedCommand(words: readonly string[], setting: FeedCommandSetting): Promise<ExitCode> {
  const asked = parseOrder(
    words,
    setting.providers.providers.map(({ code }) => code),
  );
  if (asked.kind === 'help') {
    setting.out(FEED_HELP);
    return EXIT.done;
  }
  if (asked.kind === 'wrong') {
    setting.out(`${asked.message}\n\n${FEED_HELP}`);
    return EXIT.usage;
  }
  // Names out of a feed stand in what is said: columns, files of a zip, places.
  const out = (line: string) => setting.out(plainLine(line));
  try {
    return await obey(asked, { ...setting, out });
  } catch (error) {
    if (isStoreLocked(error)) {
      out('Another program has the store locked, and nothing was changed: wait for it and try again.');
      return EXIT.busy;
    }
    if (error instanceof LeaseLost) {
      out(`${error.message}.`);
      return EXIT.busy;
    }
    const what =
      asked.kind === 'status' ? 'The store cannot be asked' : 'It broke off, and nothing was changed';
    out(error instanceof FeedFault ? error.message : `${what}: ${errorMessage(error)}.`);
    return EXIT.refused;
  }
}

async function obey(asked: Order, setting: FeedCommandSetting): Promise<ExitCode> {
  if (asked.kind === 'status') return status(setting);
  if (asked.kind === 'remove') return remove(asked.provider, setting);
  const provider = setting.providers.providers.find(({ code }) => code === asked.provider);
  if (provider !== undefined) return importFeed(asked, provider, setting);
  const known = setting.providers.providers.map(({ code }) => code).join(', ');
  setting.out(
    `There is no provider ${asked.provider} in providers.json${known === '' ? '' : ` (there are ${known})`}: add it, with the hosts that its links lead to.`,
  );
  return EXIT.usage;
}

async function importFeed(
  order: ImportWords,
  provider: ProviderSetting,
  setting: FeedCommandSetting,
): Promise<ExitCode> {
  const { store, openOptions = {}, now, out } = setting;
  const leaseDatabase = openDatabase(store, openOptions);
  try {
    const taken = takeLease(leaseDatabase, provider.code, now);
    if (taken.kind === 'busy') return busy(taken, out);
    try {
      return await importWithLease(order, provider, taken.lease, setting);
    } finally {
      release(taken.lease);
    }
  } finally {
    leaseDatabase.close();
  }
}

/** Says who has the lease. */
function busy(taken: Extract<TakenLease, { kind: 'busy' }>, out: (line: string) => void): ExitCode {
  const time = (ms: number) => new Date(ms).toISOString().slice(11, 19);
  out(
    `Another import runs, of ${taken.provider} since ${time(taken.since)} UTC by ${taken.by}: wait for it. If it was killed, its turn ends at ${time(taken.until)} UTC.`,
  );
  return EXIT.busy;
}

async function importWithLease(
  order: ImportWords,
  provider: ProviderSetting,
  lease: ImportLease,
  setting: FeedCommandSetting,
): Promise<ExitCode> {
  const { store, openOptions = {}, dataDir, now, out } = setting;
  const feedStore = openFeedStore(store, openOptions);
  const stamp = new Date(now()).toISOString().replace(/[-:]/g, '').slice(0, 15);
  const reports = join(dataDir, 'feed-reports');
  const report = openRefusalFile(join(reports, `${provider.code}-${stamp}.jsonl`));
  removeOldReports(reports, provider.code);
  const progress = feedProgress(setting.progress, now);
  try {
    const outcome = await runImport(feedStore, lease, {
      source: isPath(order.source) ? resolve(setting.workingDir, order.source) : order.source,
      input: setting.input,
      hosts: setting.hosts,
      format: order.format,
      mappingPath: order.mapping === null ? null : resolve(setting.workingDir, order.mapping),
      provider,
      airports: feedAirports(
        parseAirports(readFileSync(join(setting.lists.airports, 'departure-airports.csv'), 'utf8')),
        setting.providers.airports,
      ),
      destinations: parseDestinations(readFileSync(join(setting.lists.locations, 'locations.csv'), 'utf8')),
      isAccepted: order.accept,
      isTrial: order.kind === 'check',
      stagingFolder: join(dataDir, 'feed-staging'),
      sourceFolder: join(dataDir, 'feed-source'),
      report,
      now,
      onProgress: progress.update,
    });
    progress.stop();
    for (const line of importSummary(outcome, provider.code, report)) out(line);
    const { removed, changed } = outcome.difference;
    if (outcome.kind === 'imported' && removed + changed > 0) {
      clearRecords(feedStore.database, lease.renew, out);
    }
    return outcome.kind === 'held' ? EXIT.held : EXIT.done;
  } catch (error) {
    progress.stop();
    for (const line of refusals(report)) out(line);
    throw error;
  } finally {
    report.close();
    feedStore.database.close();
  }
}

/** What packages do not name any more goes. The import stands without it, and the next one does what this one cannot. */
function clearRecords(database: SqlDatabase, onBatch: () => void, out: (line: string) => void): void {
  try {
    removeUnusedRecords(database, HISTORY_REFERENCES, onBatch);
  } catch (error) {
    out(
      `Hotels, flights and places that no package names any more could not be cleared away, which the next import does: ${errorMessage(error)}.`,
    );
  }
}

/** What cannot be given back ends by itself; what the import did stands. */
function release(lease: ImportLease): void {
  try {
    lease.release();
  } catch {}
}

function status({ store, providers, out }: FeedCommandSetting): ExitCode {
  const database = openDatabase(store);
  try {
    const imports = readLastImports(database);
    for (const { provider, last } of imports) {
      const { at, format, packages, added, changed, removed, refused } = last;
      out(
        `${provider}: ${packages} packages by ${format} at ${at}; ${added} new, ${changed} changed, ${removed} gone, ${refused} rows refused`,
      );
    }
    const imported = new Set(imports.map(({ provider }) => provider));
    for (const { code } of providers.providers)
      if (!imported.has(code)) out(`${code}: no feed has been imported`);
    if (imports.length === 0 && providers.providers.length === 0)
      out('No provider stands in providers.json.');
  } finally {
    database.close();
  }
  return EXIT.done;
}

function remove(code: string, { store, openOptions = {}, now, out }: FeedCommandSetting): ExitCode {
  const database = openDatabase(store, openOptions);
  try {
    const taken = takeLease(database, code, now);
    if (taken.kind === 'busy') return busy(taken, out);
    try {
      out(`${code}: ${removeProvider(database, taken.lease, code)} packages removed.`);
      clearRecords(database, taken.lease.renew, out);
      return EXIT.done;
    } finally {
      release(taken.lease);
    }
  } finally {
    database.close();
  }
}

interface ImportWords {
  kind: 'import' | 'check';
  source: string;
  provider: string;
  format: FormatName | null;
  mapping: string | null;
  accept: boolean;
}

type Order = ImportWords | { kind: 'status' } | { kind: 'remove'; provider: string };

type Words = Order | { kind: 'help' } | { kind: 'wrong'; message: string };

/** Where there is one provider, a feed that names none is that one's; what ends offers has to name it. */
function parseOrder(words: readonly string[], codes: readonly string[]): Words {
  const wrong = (message: string): Words => ({ kind: 'wrong', message });
  let parsed: ReturnType<typeof parseWords>;
  try {
    parsed = parseWords(words);
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals } = parsed;
  const [command, source, ...more] = positionals;
  if (values.help === true || command === undefined) return { kind: 'help' };
  if (more.length > 0) return wrong(`There is a word too many: ${more.join(' ')}`);
  if (command === 'status') return { kind: 'status' };
  const { mapping = null, accept = false } = values;
  const only = codes.length === 1 && command !== 'remove' ? codes[0] : undefined;
  const provider = values.provider ?? only;
  if (provider === undefined) {
    return wrong(`Say whose feed it is: --provider ${codes.length === 0 ? 'CODE' : codes.join(' or ')}.`);
  }
  if (command === 'remove') return { kind: 'remove', provider };
  if (command !== 'import' && command !== 'check') return wrong(`There is no command ${command}.`);
  if (source === undefined) return wrong('Name the feed: a file, - or an https address.');
  const format = FEED_FORMATS.find((one) => one === values.format) ?? null;
  if (values.format !== undefined && format === null) {
    return wrong(`There is no format ${values.format}: it takes ${FEED_FORMATS.join(', ')}.`);
  }
  return { kind: command, source, provider, format, mapping, accept };
}

function parseWords(words: readonly string[]) {
  return parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      provider: { type: 'string' },
      format: { type: 'string' },
      mapping: { type: 'string' },
      accept: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
}
