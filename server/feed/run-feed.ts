import { linkSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { parseAirports } from '../../domain/airport.ts';
import { fromDayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import { parseDestinations } from '../../domain/destination.ts';
import type { ChargeTable } from '../../domain/local-charges.ts';
import { applyCharges } from '../ingest/apply-charges.ts';
import { errorMessage } from '../lib/error-message.ts';
import type { OpenOptions } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import {
  type Attempt,
  type AttemptDetail,
  attemptsOf,
  beginAttempt,
  CHANGES,
  endAttempt,
  isGood,
  isOfChanges,
  type Outcome,
} from './attempts/attempt-table.ts';
import { checksumOf, type FeedArchive, feedArchive } from './attempts/feed-archive.ts';
import { ChangesKnown, SequenceGap } from './changed-packages.ts';
import { feedProgress } from './feed-progress.ts';
import type { FormatName } from './formats/feed-format.ts';
import { type FeedMapping, parseMapping } from './formats/mapped/mapping.ts';
import { FeedFault } from './formats/raw-row.ts';
import { importSummary, refusals, uncleared } from './import-summary.ts';
import { feedAirports } from './map/feed-airports.ts';
import type { FeedBlock } from './map/feed-block.ts';
import type { FeedPackage } from './map/feed-package.ts';
import type { HolidayProvider, ProvidersFile } from './map/holiday-providers.ts';
import { digestOf, settingsOf } from './provider-settings.ts';
import { openRefusalFile, type RefusalFile, removeOldReports } from './refusal-file.ts';
import { type ImportOutcome, runImport } from './run-import.ts';
import { fetchBlock } from './source/fetch-block.ts';
import { copySource, isPath } from './source/open-source.ts';
import type { ImportLease } from './write/import-lease.ts';
import { type FeedStore, openFeedStore } from './write/open-feed-store.ts';
import { poundsOf } from './write/price-measure.ts';

/** How long a check or an import by hand counts earlier good feeds. */
const LATELY_MS = 7 * 24 * 60 * 60 * 1_000;

/** Of feeds that an operator has refused. */
const REJECTED: readonly Outcome[] = ['discarded', 'rolled back'];

/** Before every sequence number, and not the one before any. */
const NO_SEQUENCE = -2;

/** Mapped rows that a check shows. */
const SHOWN_ROWS = 10;

/** After this time, or on another day, an unchanged feed is imported again: its packages were seen. */
const SEEN_FOR_MS = 12 * 60 * 60 * 1_000;

export interface FeedOptions {
  store: StoreAddress;
  /** For tests: shorter lock timeouts. */
  openOptions?: OpenOptions;
  /** Has the reports, stored feeds and the staging file. */
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
  progress: Writable;
  now: () => number;
  /** For tests: between two tries of a download. */
  pause?: (ms: number) => Promise<unknown>;
}

/** Where a feed comes from: an operator's file or URL, the provider's block, or an earlier attempt. */
export type JobSource =
  | { kind: 'named'; name: string; format: FormatName | null; mapping: string | null }
  | { kind: 'block' | 'changes' }
  | { kind: 'stored'; attempt: Attempt; why: string };

export interface FeedJob {
  provider: HolidayProvider;
  source: JobSource;
  /** Overrides the guardrails. */
  isAccepted: boolean;
  /** Finds what an import would do, and writes nothing. */
  isTrial: boolean;
}

export type JobOutcome = ImportOutcome['kind'] | 'nothing new' | 'gap';

/** Fetches and imports or checks a feed, keeps the attempt, and prints progress and summary. */
export async function runFeed(
  job: FeedJob,
  database: SqlDatabase,
  lease: ImportLease,
  options: FeedOptions,
): Promise<JobOutcome> {
  if (job.isTrial) return runTrial(job, database, lease, options);
  const { provider } = job;
  const archive = feedArchive(options.dataDir, provider.code);
  const id = beginAttempt(database, {
    provider: provider.code,
    source: labelOf(job),
    now: options.now(),
  });
  archive.prune(attemptsOf(database, provider.code));
  const detail: AttemptDetail = {};
  try {
    return await attemptImport(
      { ...job, id, detail, archive, path: archive.pathOf(id) },
      database,
      lease,
      options,
    );
  } catch (error) {
    if (error instanceof ChangesKnown) {
      const message = error.message;
      endAttempt(database, id, { outcome: 'unchanged', message, detail, now: options.now() });
      options.out(`${provider.code}: ${message}; nothing was changed.`);
      return 'nothing new';
    }
    endFailed(database, id, detail, error, options.now());
    if (!(error instanceof SequenceGap)) throw error;
    options.out(`${provider.code}: ${error.message}.`);
    return 'gap';
  } finally {
    // Only a full feed can be imported again.
    if (job.source.kind === 'changes') rmSync(archive.pathOf(id), { force: true });
    archive.prune(attemptsOf(database, provider.code));
  }
}

interface Running extends FeedJob {
  id: number;
  detail: AttemptDetail;
  archive: FeedArchive;
  /** Where the fetched feed is stored. */
  path: string;
}

async function attemptImport(
  running: Running,
  database: SqlDatabase,
  lease: ImportLease,
  options: FeedOptions,
): Promise<JobOutcome> {
  const { provider, source, id, detail, archive } = running;
  const { now, out } = options;
  const mapping = readMappingText(running, archive, options);
  detail.settings = settingsOf(provider);
  detail.mapping = digestOf(mapping?.text ?? null);
  const earlier = attemptsOf(database, provider.code).filter((one) => one.id !== id);
  const isChanges = source.kind === 'changes';
  const good = isChanges
    ? (earlier.find((one) => isGood(one) && isOfChanges(one)) ?? null)
    : presentFeed(earlier, archive);
  const isSame = good?.detail.settings === detail.settings && good.detail.mapping === detail.mapping;
  const fetched = await fetchFor(running, isSame ? good : null, lease, options);
  detail.version = fetched.version;
  detail.modifiedAt = fetched.modifiedAt;
  if (source.kind === 'block' && fetched.kind === 'fetched') requireNewer(good, fetched.modifiedAt);
  const end = (ended: Outcome, message: string): JobOutcome => {
    endAttempt(database, id, { outcome: ended, message, detail, now: now() });
    out(`${provider.code}: ${message}; nothing was changed.`);
    return 'nothing new';
  };
  if (fetched.kind === 'unchanged' && (isChanges || isStillSeen(earlier, now()))) {
    return end('unchanged', 'the source has nothing new');
  }
  detail.checksum = await checksumOf(running.path);
  const judged = earlier.find(
    (one) => one.detail.checksum === detail.checksum && REJECTED.includes(one.outcome),
  );
  if (judged !== undefined && source.kind === 'block') {
    const at = new Date(judged.startedAt).toISOString();
    return end('discarded', `the source still has the feed of ${at}, which was ${judged.outcome}`);
  }
  if (mapping !== null) archive.keepMapping(id, mapping.text);
  const outcome = await importFile(
    { ...running, mapping: mapping?.mapping ?? null, earlier },
    lease,
    options,
  );
  if (outcome.kind === 'held') {
    const message = outcome.reasons.join('; ');
    endAttempt(database, id, { outcome: 'held', message, detail, now: now() });
  }
  return outcome.kind;
}

/** Shows what an import would do. Leaves nothing behind. */
async function runTrial(
  job: FeedJob,
  database: SqlDatabase,
  lease: ImportLease,
  options: FeedOptions,
): Promise<JobOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'skylark-feed-'));
  const archive = feedArchive(options.dataDir, job.provider.code);
  const running: Running = { ...job, id: 0, detail: {}, archive, path: join(folder, 'feed') };
  try {
    const mapping = readMappingText(running, archive, options);
    await fetchFor(running, null, lease, options);
    const shown: string[] = [];
    const onPackage = (offer: FeedPackage) => {
      if (shown.length < SHOWN_ROWS) shown.push(`  ${describePackage(offer)}`);
    };
    const earlier = attemptsOf(database, job.provider.code);
    const { kind, reasons } = await importFile(
      { ...running, mapping: mapping?.mapping ?? null, earlier, onPackage, folder },
      lease,
      options,
    );
    if (shown.length > 0) for (const line of ['The first rows:', ...shown]) options.out(line);
    return reasons.length > 0 && !job.isAccepted ? 'held' : kind;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function importFile(
  job: Running & {
    mapping: FeedMapping | null;
    earlier: readonly Attempt[];
    onPackage?: (offer: FeedPackage) => void;
    /** Of a trial's temporary files. */
    folder?: string;
  },
  lease: ImportLease,
  options: FeedOptions,
): Promise<ImportOutcome> {
  const { provider, detail } = job;
  const { dataDir, lists, now, out } = options;
  const reports = join(dataDir, 'feed-reports');
  const report = openRefusalFile(
    job.isTrial ? null : join(reports, `${provider.code}-${timestamp(now())}.jsonl`),
  );
  if (!job.isTrial) removeOldReports(reports, provider.code);
  const progress = feedProgress(options.progress, now);
  let store: FeedStore | null = null;
  let outcome: ImportOutcome | null = null;
  try {
    if (options.charges !== undefined && !job.isTrial) await applyCharges(options.store, options.charges);
    store = openFeedStore(options.store, options.openOptions ?? {});
    outcome = await runImport(store, lease, {
      path: job.path,
      format: job.source.kind === 'named' ? job.source.format : (provider.feed?.format ?? null),
      mapping: job.mapping,
      provider,
      airports: feedAirports(
        parseAirports(readFileSync(join(lists.airports, 'departure-airports.csv'), 'utf8')),
        options.providers.airports,
      ),
      destinations: parseDestinations(readFileSync(join(lists.locations, 'locations.csv'), 'utf8')),
      changesAfter: job.source.kind === 'changes' ? lastSequence(job.earlier) : null,
      isAccepted: job.isAccepted,
      isTrial: job.isTrial,
      lately: latelyOf(job.earlier, now()),
      stagingFolder: join(job.folder ?? dataDir, `feed-staging-${provider.code}`),
      report,
      onPackage: job.onPackage ?? (() => {}),
      onReported: report.finish,
      onWriting(database, { kind, ...facts }) {
        noteFacts(detail, facts, report);
        endAttempt(database, job.id, {
          outcome: kind === 'unchanged' ? 'unchanged' : 'imported',
          detail,
          now: now(),
        });
      },
      now,
      onProgress: progress.update,
    });
    noteFacts(detail, outcome, report);
  } finally {
    store?.database.close();
    report.close();
    if (outcome === null) {
      detail.refusals = refusalsOf(report);
      for (const line of refusals(report)) out(line);
    }
  }
  for (const line of importSummary(outcome, provider.code, report)) out(line);
  if (outcome.clearingError !== undefined) out(uncleared(outcome.clearingError));
  return outcome;
}

function noteFacts(
  detail: AttemptDetail,
  { format, counts, difference, reasons, measure, sequence, moves }: Omit<ImportOutcome, 'kind'>,
  report: RefusalFile,
): void {
  const refused = refusalsOf(report);
  const facts = { format, counts, difference, reasons, measure, sequence, moves };
  Object.assign(detail, facts, { refusals: refused });
}

function refusalsOf(report: RefusalFile): NonNullable<AttemptDetail['refusals']> {
  return report
    .groups()
    .slice(0, 20)
    .map(({ field, reason, count, isTaken }) => ({ reason: `${field} ${reason}`.trim(), count, isTaken }));
}

/** The measures of good feeds of seven days, since an operator last accepted one or removed the packages. */
function latelyOf(earlier: readonly Attempt[], now: number) {
  const recent = earlier.filter(({ startedAt }) => startedAt > now - LATELY_MS);
  const decided = recent.findIndex(
    (one) => one.outcome === 'removed' || (isGood(one) && (one.detail.reasons ?? []).length > 0),
  );
  const counted = decided < 0 ? recent : recent.slice(0, decided + 1);
  return counted.filter(isGood).flatMap(({ detail }) => detail.measure ?? []);
}

async function fetchFor(
  { provider, source, archive, path }: Running,
  /** The good attempt whose stored feed need not be fetched again. */
  good: Attempt | null,
  lease: ImportLease,
  { hosts, input, providers, workingDir, progress, now, pause }: FeedOptions,
): Promise<{ kind: 'fetched' | 'unchanged'; version: string | null; modifiedAt: number | null }> {
  const shown = feedProgress(progress, now);
  const onRead = (bytes: number, of: number | null) => {
    lease.renew();
    shown.update('Fetching', bytes, of, 0);
  };
  if (source.kind === 'stored') {
    linkStored(archive, source.attempt, path);
    const { version = null, modifiedAt = null } = source.attempt.detail;
    return { kind: 'fetched', version, modifiedAt };
  }
  if (source.kind === 'named') {
    const name = isPath(source.name) ? resolve(workingDir, source.name) : source.name;
    await copySource(name, path, { input, hosts, onRead });
    return { kind: 'fetched', version: null, modifiedAt: null };
  }
  const feed = provider.feed && feedOf(provider.feed, source.kind);
  if (feed === null) throw new FeedFault(`providers.json has no feed for ${provider.code}.`);
  const { version: known = null } = good?.detail ?? {};
  const order = { folder: providers.folder, path, hosts, known, onRead, pause };
  const fetched = await fetchBlock(feed, order);
  if (fetched.kind === 'fetched') return fetched;
  if (good !== null && source.kind === 'block') linkStored(archive, good, path);
  return { kind: 'unchanged', version: known, modifiedAt: good?.detail.modifiedAt ?? null };
}

/** The stored feed that the store's packages are from; null: none, or they were removed since. */
function presentFeed(earlier: readonly Attempt[], archive: FeedArchive): Attempt | null {
  const settled = earlier.find((one) => isGood(one) || ['removed', 'withdrawn'].includes(one.outcome));
  if (settled === undefined || !isGood(settled)) return null;
  return earlier.find((one) => isGood(one) && archive.has(one.id)) ?? null;
}

/** The feed of another attempt, in this one's place. */
function linkStored(archive: FeedArchive, { id, host }: Attempt, path: string): void {
  if (!archive.has(id)) throw new FeedFault(`The feed is not stored on this machine, but on ${host}.`);
  linkSync(archive.pathOf(id), path);
}

/** Refuses a file that a cache or a late job serves again after a newer one. */
function requireNewer(good: Attempt | null, modifiedAt: number | null): void {
  const last = good?.detail.modifiedAt ?? null;
  if (last === null || modifiedAt === null || modifiedAt >= last) return;
  const [is, was] = [modifiedAt, last].map((at) => new Date(at).toISOString());
  throw new FeedFault(`The source has a file of ${is}, older than that of ${was}, which was imported.`);
}

/** The block by which the whole feed, or its changes, are fetched; null without changes. */
function feedOf(feed: FeedBlock, kind: JobSource['kind']): FeedBlock | null {
  if (kind !== 'changes') return feed;
  return feed.changes === undefined ? null : { ...feed, source: feed.changes.source };
}

/** The sequence number of the store's packages. Without one, no changes follow it. */
function lastSequence(earlier: readonly Attempt[]): number {
  const last = earlier.find((one) => isGood(one) && one.detail.difference !== undefined);
  return last?.detail.sequence ?? NO_SEQUENCE;
}

/** Whether the provider's packages were written or seen recently enough for their price history. */
function isStillSeen(earlier: readonly Attempt[], now: number): boolean {
  const last = earlier.find((one) => isGood(one) && one.detail.difference !== undefined);
  if (last === undefined || now - last.startedAt >= SEEN_FOR_MS) return false;
  return todayInLondon(last.startedAt) === todayInLondon(now);
}

function readMappingText(
  { provider, source }: Running,
  archive: FeedArchive,
  { providers, workingDir }: FeedOptions,
): { text: string; mapping: FeedMapping } | null {
  if (source.kind === 'stored') {
    const text = archive.mappingOf(source.attempt.id);
    return text === null ? null : { text, mapping: parsedMapping(text, 'the stored mapping') };
  }
  const name = source.kind === 'named' ? source.mapping : (provider.feed?.mapping ?? null);
  if (name === null) return null;
  const from = source.kind === 'named' ? workingDir : providers.folder;
  const path = isAbsolute(name) ? name : resolve(from, name);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new FeedFault(`The mapping ${path} cannot be read: ${errorMessage(error)}.`, { cause: error });
  }
  return { text, mapping: parsedMapping(text, path) };
}

function parsedMapping(text: string, path: string): FeedMapping {
  const parsed = parseMapping(text, path);
  if (parsed.kind === 'refused') throw new FeedFault(parsed.message);
  return parsed.mapping;
}

/** Never throws: the import's own error says more. */
function endFailed(
  database: SqlDatabase,
  id: number,
  detail: AttemptDetail,
  error: unknown,
  now: number,
): void {
  try {
    endAttempt(database, id, { outcome: 'failed', message: errorMessage(error), detail, now });
  } catch {}
}

/** Without paths and queries of URLs, which may contain keys. */
function labelOf({ provider, source }: FeedJob): string {
  if (source.kind === 'stored') return source.why;
  if (source.kind === 'named' && source.name === '-') return 'standard input';
  const feed = provider.feed && feedOf(provider.feed, source.kind);
  const name = source.kind === 'named' ? source.name : (feed?.source.url ?? '');
  const label = isPath(name) ? name : (URL.parse(name)?.host ?? 'a URL');
  return source.kind === 'changes' ? `${CHANGES}${label}` : label;
}

function describePackage(offer: FeedPackage): string {
  const { airport, departureDay, nights, hotel, place, board, adults, children, price } = offer;
  const party = `${adults} adults${children > 0 ? `, ${children} children` : ''}`;
  return `${airport}, ${fromDayNumber(departureDay)}, ${nights} nights, ${hotel.name}, ${place.resort}, ${board}, ${party}: ${poundsOf(price)}`;
}

/** Such as 20270501T063000, in UTC. */
function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]/g, '').slice(0, 15);
}
