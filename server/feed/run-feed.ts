import { createHash } from 'node:crypto';
import { linkSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { parseAirports } from '../../domain/airport.ts';
import { todayInLondon } from '../../domain/calendar-date.ts';
import { parseDestinations } from '../../domain/destination.ts';
import type { ChargeTable } from '../../domain/local-charges.ts';
import type { OtherNames } from '../../domain/other-names.ts';
import { applyCharges } from '../ingest/apply-charges.ts';
import { removeUnusedRecords } from '../inventory/tables/remove-unused-records.ts';
import { digestOf } from '../lib/digest.ts';
import { errorMessage } from '../lib/error-message.ts';
import { readOtherNames } from '../page/brand-folder.ts';
import { HISTORY_REFERENCES } from '../price-history/history-table.ts';
import type { OpenOptions } from '../storage/open/database.ts';
import type { SqlDatabase, SqlSession } from '../storage/sql-database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import {
  type Attempt,
  type AttemptDetail,
  attemptsOf,
  beginAttempt,
  endAttempt,
  isOfChanges,
  isSuccessful,
  judgeAttempt,
  lastReadOf,
  type Outcome,
  stateOf,
} from './attempts/attempt-table.ts';
import { type FeedArchive, feedArchive } from './attempts/feed-archive.ts';
import { ChangesKnown, SequenceGap } from './changed-packages.ts';
import { codeDigest } from './code-digest.ts';
import { feedProgress } from './feed-progress.ts';
import type { FormatName } from './formats/feed-format.ts';
import { type FeedMapping, parseMapping } from './formats/mapped/mapping.ts';
import { FeedFault, UnusableFeed } from './formats/raw-row.ts';
import { importSummary, refusals } from './import-summary.ts';
import { feedAirports } from './map/feed-airports.ts';
import { type FeedBlock, maxAgeMs, sourceKind } from './map/feed-block.ts';
import type { HolidayProvider, ProvidersFile } from './map/holiday-providers.ts';
import { settingsOf } from './next-work.ts';
import { openRefusalFile, type RefusalFile, removeOldReports } from './refusal-file.ts';
import { runImport } from './run-import.ts';
import type { ImportOutcome } from './running-import.ts';
import { copySource, fetchBlock, isPath } from './source/fetch-block.ts';
import type { Fetched } from './source/fetch-feed.ts';
import { readOwnFile } from './source/read-own-file.ts';
import { unpackFeed } from './source/unpack-feed.ts';
import { type ImportLease, whileWriting } from './write/import-lease.ts';
import { type FeedStore, openFeedStore } from './write/open-feed-store.ts';

/** How old earlier good feeds may be for the guardrails to count them. */
const LATELY_MS = 7 * 24 * 60 * 60 * 1_000;

/** The outcomes of feeds that an operator has refused. */
const REJECTED: readonly Outcome[] = ['discarded', 'rolled back'];

/** An older file could only have departures in the past, so its time must be wrong. */
const MAX_FILE_AGE_MS = 550 * 24 * 60 * 60 * 1_000;

/** An unchanged feed is imported again after this time, or on another day. */
const SEEN_FOR_MS = 12 * 60 * 60 * 1_000;

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

export type JobOutcome = ImportOutcome['kind'] | 'nothing new' | 'gap';

interface Running extends FeedJob {
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
type Starting = Omit<Running, 'id' | 'path' | 'mapping'>;

/** Fetches and imports or checks a feed, records the attempt, and prints progress and summary. */
export async function runFeed(
  job: FeedJob,
  database: SqlDatabase,
  lease: ImportLease,
  options: FeedOptions,
): Promise<JobOutcome> {
  const { code } = job.provider;
  const { now, out } = options;
  const archive = feedArchive(options.dataDir, code);
  const isChanges =
    job.source.kind === 'changes' || (job.source.kind === 'stored' && isOfChanges(job.source.attempt));
  const detail: AttemptDetail = isChanges ? { isChanges } : {};
  const earlier = await attemptsOf(database, code);
  const last = (await lastReadOf(database, code)) ?? null;
  const running = { ...job, detail, archive, isChanges, earlier, last };
  if (job.isTrial) return runTrial(running, lease, options);
  detail.settings = settingsOf(job.provider);
  const id = await beginAttempt(database, { provider: code, source: labelOf(running), now: now(), detail });
  archive.prune(earlier);
  const end = (outcome: Outcome, message: string) =>
    endAttempt(database, id, { outcome, message, detail, now: now() });
  const endUnused = async (outcome: Outcome, message: string): Promise<JobOutcome> => {
    await end(outcome, message);
    out(`${code}: ${message}; nothing was changed.`);
    return 'nothing new';
  };
  try {
    const begun = { ...running, id, path: archive.pathOf(id), mapping: readMapping(running, options) };
    const unused = await fetchAttempt(begun, lease, options);
    if (unused !== null) return await endUnused(unused.outcome, unused.message);
    const { kind, reasons } = await whileWriting(database, code, writingOptions(lease, options), (writing) =>
      importFile(begun, writing, options),
    );
    if (kind === 'held') {
      // Only the latest held feed is stored, so only it can be accepted.
      const replaced = stateOf(earlier)?.pendingReview ?? null;
      if (replaced !== null)
        await judgeAttempt(database, replaced.id, 'skipped', 'a later feed is held instead');
      await end('held', reasons.join('; '));
    }
    return kind;
  } catch (error) {
    if (error instanceof ChangesKnown) return await endUnused('unchanged', error.message);
    if (error instanceof UnusableFeed) detail.isUnusable = true;
    if (error instanceof SequenceGap) detail.missing = error.missing;
    let isRunning = true;
    try {
      isRunning = await end('failed', errorMessage(error));
    } catch {
      // The import's own error says more.
    }
    if (!isRunning) {
      out(`${code}: the feed was imported, but the work after the import failed: ${errorMessage(error)}.`);
      return 'imported';
    }
    if (!(error instanceof SequenceGap)) throw error;
    out(`${code}: ${error.message}.`);
    return 'gap';
  } finally {
    archive.prune(await attemptsOf(database, code));
  }
}

/** How to wait until the store may be written to. */
export function writingOptions(lease: ImportLease, { now, pause = setTimeout, progress }: FeedOptions) {
  const shown = feedProgress(progress, now);
  return { lease, now, pause, onWait: () => shown('Waiting for another import', '') };
}

/** Why a fetched feed need not be imported. */
interface Unused {
  outcome: Outcome;
  message: string;
}

/** The earlier attempts that decide whether a feed is fetched and imported. */
function relatedAttempts({ source, detail, archive, isChanges, earlier, last }: Running) {
  const hasSameSettings = (one: Attempt | null) =>
    one?.detail.settings === detail.settings && one?.detail.block === detail.block;
  const ofKind = earlier.filter((one) => isOfChanges(one) === isChanges);
  const { pendingReview = null, seenAt = null } = stateOf(earlier) ?? {};
  const isStored = (one: Attempt) => isSuccessful(one) && seenAt !== null && archive.has(one.id);
  // Changes from before the last full feed may have to be applied again.
  const isCurrent = (one: Attempt) => isSuccessful(one) && one.id >= (last?.id ?? 0);
  const latest = ofKind.find(isChanges ? isCurrent : isStored) ?? null;
  return {
    ofKind,
    /** The held feed of the same settings. */
    pending:
      pendingReview !== null && ofKind.includes(pendingReview) && hasSameSettings(pendingReview)
        ? pendingReview
        : null,
    /** The last successful attempt with the same settings. */
    lastSuccess: hasSameSettings(latest) ? latest : null,
    /** The store has changes that are later than the last full feed. */
    hasLaterChanges: !isChanges && last !== null && isOfChanges(last),
    isFetched: source.kind === 'block' || source.kind === 'changes',
  };
}

/** Fetches a feed. Returns null, or why it need not be imported. */
async function fetchAttempt(
  running: Running,
  lease: ImportLease,
  options: FeedOptions,
): Promise<Unused | null> {
  const { provider, source, id, detail, archive, isChanges, path, mapping } = running;
  const now = options.now();
  detail.maxAge = maxAgeMs(provider.feed);
  detail.block = source.kind === 'stored' ? source.attempt.detail.block : blockOf(running);
  const { ofKind, pending, lastSuccess, hasLaterChanges, isFetched } = relatedAttempts(running);
  const cached = pending ?? lastSuccess;
  const fetched = await fetchFor(running, cached, lease, options);
  const isUnchanged = fetched.kind === 'unchanged';
  const { version = null, modifiedAt: stated = null } = isUnchanged ? (cached?.detail ?? {}) : fetched;
  detail.version = version;
  detail.modifiedAt = plausibleTime(stated, now);
  if (source.kind === 'block' && !isUnchanged) requireNewer(lastSuccess, detail.modifiedAt, provider.feed);
  if (isUnchanged && pending === null && (isChanges || hasLaterChanges || isStillSeen(running.last, now)))
    return { outcome: 'unchanged', message: 'the source has nothing new' };
  if (isUnchanged && pending === null && cached !== null) linkStored(archive, cached, path);
  detail.checksum =
    isUnchanged && pending !== null
      ? pending.detail.checksum
      : await checksumOf(path, mapping?.mapping.file ?? null, lease);
  const isSameFile = (one: Attempt) => one.detail.checksum === detail.checksum;
  const previous = ofKind.find(
    (one) => isSameFile(one) || (isSuccessful(one) && one.detail.checksum !== undefined),
  );
  const earliest =
    source.kind === 'stored' ? source.attempt : previous && isSameFile(previous) ? previous : null;
  detail.madeAt =
    earliest === null ? (detail.modifiedAt ?? now) : (earliest.detail.madeAt ?? earliest.startedAt);
  if (source.kind === 'block' && hasLaterChanges && lastSuccess !== null && isSameFile(lastSuccess))
    return { outcome: 'unchanged', message: 'the store has later changes than this full feed' };
  const refused = isFetched ? sameAsRefused(ofKind.filter(isSameFile), pending) : null;
  if (refused !== null) return refused;
  if (mapping !== null) archive.keepMapping(id, mapping.text);
  return null;
}

/** Why the same file as in these attempts is not imported again. */
function sameAsRefused(attempts: readonly Attempt[], pending: Attempt | null): Unused | null {
  const at = ({ startedAt }: Attempt) => new Date(startedAt).toISOString();
  const rejected = attempts.find(({ outcome }) => REJECTED.includes(outcome));
  if (rejected !== undefined) {
    const message = `the source still has the feed of ${at(rejected)}, which was ${rejected.outcome}`;
    return { outcome: 'discarded', message };
  }
  if (pending === null || !attempts.includes(pending)) return null;
  const message = `the source still has the held feed of ${at(pending)}: accept or discard it`;
  return { outcome: 'skipped', message };
}

/** Shows what an import would do. Leaves nothing behind. */
async function runTrial(job: Starting, lease: ImportLease, options: FeedOptions): Promise<JobOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'skylark-feed-'));
  try {
    const running = { ...job, id: 0, path: join(folder, 'feed'), mapping: readMapping(job, options) };
    await fetchFor(running, null, lease, options);
    const { kind, reasons } = await importFile(running, lease, options, folder);
    return reasons.length > 0 && !job.isAccepted ? 'held' : kind;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function importFile(
  job: Running,
  lease: ImportLease,
  options: FeedOptions,
  /** For a trial's temporary files. */
  folder?: string,
): Promise<ImportOutcome> {
  const { provider, detail, source, isTrial, isAccepted, earlier } = job;
  const { dataDir, lists, now, out } = options;
  const departures = readFileSync(join(lists.airports, 'departure-airports.csv'), 'utf8');
  const locations = readFileSync(join(lists.locations, 'locations.csv'), 'utf8');
  const format = source.kind === 'named' ? source.format : (provider.feed?.format ?? null);
  const otherNames = lists.otherNames ?? readOtherNames(lists.locations) ?? {};
  const meaning = [
    otherNames,
    codeDigest(),
    provider,
    options.providers.airports,
    format,
    job.mapping?.text,
    departures,
    locations,
  ];
  const reports = join(dataDir, 'feed-reports');
  const name = `${provider.code}-${new Date(now()).toISOString().replace(/[-:]/g, '').slice(0, 15)}.jsonl`;
  const report = openRefusalFile(isTrial ? null : join(reports, name));
  if (!isTrial) removeOldReports(reports, provider.code);
  let store: FeedStore | null = null;
  let outcome: ImportOutcome | null = null;
  try {
    if (options.charges !== undefined && !isTrial) await applyCharges(options.store, options.charges);
    store = await openFeedStore(options.store, options.openOptions ?? {});
    outcome = await runImport(store, lease, {
      path: job.path,
      format,
      mapping: job.mapping?.mapping ?? null,
      provider,
      airports: feedAirports(parseAirports(departures), options.providers.airports),
      destinations: parseDestinations(locations),
      otherNames,
      basis: digestOf(JSON.stringify(meaning)),
      linesOf: job.archive.linesOf,
      attempt: job.id,
      isChanges: job.isChanges,
      last: job.last,
      madeAt: detail.madeAt ?? now(),
      isRepeated: earlier.some((one) => isSuccessful(one) && one.detail.checksum === detail.checksum),
      isAccepted,
      releasesPrices: isAccepted && !(source.kind === 'stored' && source.keepsQuarantine === true),
      isTrial,
      lately: latelyOf(earlier, now()),
      stagingFolder: join(folder ?? dataDir, `feed-staging-${provider.code}`),
      report,
      async onWriting(tx, written) {
        noteFacts(detail, written, report);
        if (source.kind === 'stored') await source.onWriting?.(tx);
        const ended = written.kind === 'unchanged' ? 'unchanged' : 'imported';
        await endAttempt(tx, job.id, { outcome: ended, detail, now: now() });
      },
      now,
      onProgress: feedProgress(options.progress, now),
    });
    noteFacts(detail, outcome, report);
    for (const line of importSummary(outcome, provider.code, report)) out(line);
    const { removed, changed } = outcome.difference;
    if (outcome.kind === 'imported' && removed + changed > 0) await clearUnused(store.database, lease, out);
    return outcome;
  } finally {
    await store?.database.close();
    if (outcome === null) {
      try {
        report.finish();
      } catch {}
      detail.refusals = refusalsOf(report);
      for (const line of refusals(report)) out(line);
    }
  }
}

/** Removes unused records after an import or a removal. Only prints errors, because the next import tries again. */
export async function clearUnused(
  database: SqlDatabase,
  lease: ImportLease,
  out: FeedOptions['out'],
): Promise<void> {
  try {
    await removeUnusedRecords(database, HISTORY_REFERENCES, lease.renew);
  } catch (error) {
    out(
      `Unused hotels, flights and places could not be removed; the next import removes them: ${errorMessage(error)}.`,
    );
  }
}

function noteFacts(
  detail: AttemptDetail,
  { format, counts, difference, reasons, measure, sequence, moves, lines }: Omit<ImportOutcome, 'kind'>,
  report: RefusalFile,
): void {
  const refusals = refusalsOf(report);
  Object.assign(detail, { format, counts, difference, reasons, measure, sequence, moves, lines, refusals });
}

function refusalsOf(report: RefusalFile): NonNullable<AttemptDetail['refusals']> {
  return report
    .groups()
    .slice(0, 20)
    .map(({ field, reason, count, isTaken }) => ({ reason: `${field} ${reason}`.trim(), count, isTaken }));
}

/** The measures of good feeds from the last seven days, since an operator accepted one or removed the packages. */
function latelyOf(earlier: readonly Attempt[], now: number) {
  const recent = earlier.filter(({ startedAt }) => startedAt > now - LATELY_MS);
  const decided = recent.findIndex(
    (one) => one.outcome === 'removed' || (isSuccessful(one) && (one.detail.reasons ?? []).length > 0),
  );
  const counted = decided < 0 ? recent : recent.slice(0, decided + 1);
  return counted.filter(isSuccessful).flatMap(({ detail }) => detail.measure ?? []);
}

async function fetchFor(
  { provider, source, archive, path }: Running,
  /** The attempt whose feed need not be fetched again if the source has not changed. */
  cached: Attempt | null,
  lease: ImportLease,
  { hosts, input, providers, workingDir, progress, now }: FeedOptions,
): Promise<Fetched> {
  const shown = feedProgress(progress, now);
  const onRead = async (bytes: number) => {
    await lease.renew();
    shown('Fetching', `${Math.round(bytes / 1e6)} MB`);
  };
  if (source.kind === 'stored') {
    linkStored(archive, source.attempt, path);
    const { version = null, modifiedAt = null } = source.attempt.detail;
    return { kind: 'fetched', version, modifiedAt };
  }
  if (source.kind === 'named') {
    const name = isPath(source.name) ? resolve(workingDir, source.name) : source.name;
    return copySource(name, path, { input, hosts, onRead });
  }
  const feed = provider.feed && feedOf(provider.feed, source.kind);
  if (feed === null) throw new FeedFault(`providers.json has no feed for ${provider.code}.`);
  const version = cached?.detail.version ?? null;
  return fetchBlock(feed, { folder: providers.folder, path, hosts, cachedVersion: version, onRead });
}

/** A digest of the settings and the mapping that decide what is fetched, and whether it is imported. */
function blockOf({ provider: { feed }, source, mapping }: Running): string {
  const from = feed && source.kind !== 'named' ? feedOf(feed, source.kind)?.source : source;
  return digestOf(JSON.stringify([from, feed?.format, feed?.guardrails, mapping?.text]));
}

/** Uses the stored feed of an earlier attempt for this one. */
function linkStored(archive: FeedArchive, { id, host }: Attempt, path: string): void {
  if (!archive.has(id)) throw new FeedFault(`The feed is not stored on this machine, but on ${host}.`);
  linkSync(archive.pathOf(id), path);
}

/** A digest of an unpacked feed, because packing the same rows again changes the file. */
async function checksumOf(path: string, file: string | null, lease: ImportLease): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of unpackFeed(path, lease.renew, file)) hash.update(chunk);
  return hash.digest('hex');
}

/** The time that a source states for a file, at most `now`. Null if it is missing or far too old. */
function plausibleTime(modifiedAt: number | null, now: number): number | null {
  return modifiedAt === null || modifiedAt < now - MAX_FILE_AGE_MS ? null : Math.min(modifiedAt, now);
}

/**
 * Refuses a file that is older than the last imported one: a cache or a late job may serve it. In a folder, an older
 * file is the operator's choice.
 */
function requireNewer(lastSuccess: Attempt | null, modifiedAt: number | null, feed: FeedBlock | null): void {
  const last = lastSuccess?.detail.modifiedAt ?? null;
  if (last === null || modifiedAt === null || modifiedAt >= last) return;
  if (sourceKind(feed?.source.url ?? '') === 'folder') return;
  const [is, was] = [modifiedAt, last].map((at) => new Date(at).toISOString());
  throw new FeedFault(`The source has a file of ${is}, older than that of ${was}, which was imported.`);
}

/** The settings for fetching the whole feed or its changes. Null: the provider has no changes. */
function feedOf(feed: FeedBlock, kind: JobSource['kind']): FeedBlock | null {
  if (kind !== 'changes') return feed;
  return feed.changes === undefined ? null : { ...feed, source: feed.changes.source };
}

/** Whether a feed was read recently. On a new day, other packages of the same file are on sale. */
function isStillSeen(last: Attempt | null, now: number): boolean {
  if (last === null || now - last.startedAt >= SEEN_FOR_MS) return false;
  return todayInLondon(last.startedAt) === todayInLondon(now);
}

interface MappingFile {
  text: string;
  mapping: FeedMapping;
}

function readMapping(
  { provider, source, archive }: Starting,
  { providers, workingDir }: FeedOptions,
): MappingFile | null {
  if (source.kind === 'stored') {
    const text = archive.mappingOf(source.attempt.id);
    return text === null ? null : { text, mapping: parseMapping(text, 'the stored mapping') };
  }
  const name = source.kind === 'named' ? source.mapping : (provider.feed?.mapping ?? null);
  if (name === null) return null;
  const path = resolve(source.kind === 'named' ? workingDir : providers.folder, name);
  const text = readOwnFile('mapping', path);
  return { text, mapping: parseMapping(text, path) };
}

/** How the `source` of an attempt that fetched only changes begins, for readers. */
const CHANGES = 'changes from ';

/** The attempt's `source`, without the paths and queries of URLs, because they may contain keys. */
function labelOf({ provider, source, isChanges }: Starting): string {
  if (source.kind === 'stored') return `${isChanges ? CHANGES : ''}${source.why}`;
  if (source.kind === 'named' && source.name === '-') return 'standard input';
  const feed = provider.feed && feedOf(provider.feed, source.kind);
  const name = source.kind === 'named' ? source.name : (feed?.source.url ?? '');
  const label = isPath(name) ? name : (URL.parse(name)?.host ?? 'a URL');
  return isChanges ? `${CHANGES}${label}` : label;
}
