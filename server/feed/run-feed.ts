import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseAirports } from '../../domain/airport.ts';
import { parseDestinations } from '../../domain/destination.ts';
import { applyCharges } from '../ingest/apply-charges.ts';
import { removeUnusedRecords } from '../inventory/tables/remove-unused-records.ts';
import { digestOf } from '../lib/digest.ts';
import { errorMessage } from '../lib/error-message.ts';
import { readOtherNames } from '../page/brand-folder.ts';
import { HISTORY_REFERENCES } from '../price-history/history-table.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
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
import { feedArchive } from './attempts/feed-archive.ts';
import { ChangesKnown, SequenceGap } from './changed-packages.ts';
import { codeDigest } from './code-digest.ts';
import type { FeedJob, FeedOptions, MappingFile, RunningJob, StartingJob } from './feed-job.ts';
import { feedProgress } from './feed-progress.ts';
import { feedOf, fetchAttempt, fetchFor } from './fetch-attempt.ts';
import { parseMapping } from './formats/mapped/mapping.ts';
import { UnusableFeed } from './formats/raw-row.ts';
import { importSummary, refusals } from './import-summary.ts';
import { feedAirports } from './map/feed-airports.ts';
import { SETTINGS_CHANGED, settingsOf } from './next-work.ts';
import { openRefusalFile, type RefusalFile, removeOldReports } from './refusal-file.ts';
import { runImport } from './run-import.ts';
import type { ImportOutcome } from './running-import.ts';
import { isPath } from './source/fetch-block.ts';
import { readOwnFile } from './source/read-own-file.ts';
import { type ImportLease, whileWriting } from './write/import-lease.ts';
import { type FeedStore, openFeedStore } from './write/open-feed-store.ts';

/** How old earlier good feeds may be for the guardrails to count them. */
const LATELY_MS = 7 * 24 * 60 * 60 * 1_000;

export type JobOutcome = ImportOutcome['kind'] | 'nothing new' | 'gap';

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
  // Changes leave packages with earlier settings in the store, so that new settings remain to be applied.
  const keepsSettings = isChanges && last !== null && !isReapplied(job);
  detail.settings = keepsSettings ? last.detail.settings : settingsOf(job.provider);
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

function isReapplied({ source }: FeedJob): boolean {
  return source.kind === 'stored' && source.why === SETTINGS_CHANGED;
}

/** How to wait until the store may be written to. */
export function writingOptions(lease: ImportLease, { now, pause = setTimeout, progress }: FeedOptions) {
  const shown = feedProgress(progress, now);
  return { lease, now, pause, onWait: () => shown('Waiting for another import', '') };
}

/** Shows what an import would do. Leaves nothing behind. */
async function runTrial(job: StartingJob, lease: ImportLease, options: FeedOptions): Promise<JobOutcome> {
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
  job: RunningJob,
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
      isReapplied: isReapplied(job),
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

function readMapping(
  { provider, source, archive }: StartingJob,
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
function labelOf({ provider, source, isChanges }: StartingJob): string {
  if (source.kind === 'stored') return `${isChanges ? CHANGES : ''}${source.why}`;
  if (source.kind === 'named' && source.name === '-') return 'standard input';
  const feed = provider.feed && feedOf(provider.feed, source.kind);
  const name = source.kind === 'named' ? source.name : (feed?.source.url ?? '');
  const label = isPath(name) ? name : (URL.parse(name)?.host ?? 'a URL');
  return isChanges ? `${CHANGES}${label}` : label;
}
