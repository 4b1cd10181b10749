import { createHash } from 'node:crypto';
import { linkSync } from 'node:fs';
import { resolve } from 'node:path';
import { todayInLondon } from '../../domain/calendar-date.ts';
import { digestOf } from '../lib/digest.ts';
import { type Attempt, isOfChanges, isSuccessful, type Outcome, stateOf } from './attempts/attempt-table.ts';
import type { FeedArchive } from './attempts/feed-archive.ts';
import type { FeedOptions, JobSource, RunningJob } from './feed-job.ts';
import { feedProgress } from './feed-progress.ts';
import { FeedFault } from './formats/raw-row.ts';
import { type FeedBlock, maxAgeMs, sourceKind } from './map/feed-block.ts';
import { copySource, fetchBlock, isPath } from './source/fetch-block.ts';
import type { Fetched } from './source/fetch-feed.ts';
import { unpackFeed } from './source/unpack-feed.ts';
import type { ImportLease } from './write/import-lease.ts';

/** The outcomes of feeds that an operator has refused. */
const REJECTED: readonly Outcome[] = ['discarded', 'rolled back'];

/** An older file could only have departures in the past, so its time must be wrong. */
const MAX_FILE_AGE_MS = 550 * 24 * 60 * 60 * 1_000;

/** An unchanged feed is imported again after this time, or on another day. */
const SEEN_FOR_MS = 12 * 60 * 60 * 1_000;

/** Why a fetched feed need not be imported. */
interface Unused {
  outcome: Outcome;
  message: string;
}

/** The earlier attempts that decide whether a feed is fetched and imported. */
function relatedAttempts({ source, detail, archive, isChanges, earlier, last }: RunningJob) {
  const hasSameSettings = (one: Attempt | null) =>
    one?.detail.settings === detail.settings && one?.detail.block === detail.block;
  const ofKind = earlier.filter((one) => isOfChanges(one) === isChanges);
  const { pendingReview = null, seenAt = null } = stateOf(earlier) ?? {};
  const isStored = (one: Attempt) => isSuccessful(one) && seenAt !== null && archive.has(one.id);
  // Changes from before the last full feed may have to be applied again.
  const isCurrent = (one: Attempt) => isSuccessful(one) && one.id >= (last?.id ?? 0);
  const latest = ofKind.find(isChanges ? isCurrent : isStored) ?? null;
  const hasLaterChanges = !isChanges && last !== null && isOfChanges(last);
  // If the store has later changes, their attempt says which settings were applied.
  const isApplied =
    latest?.detail.block === detail.block &&
    (hasLaterChanges ? last : latest)?.detail.settings === detail.settings;
  return {
    ofKind,
    /** The held feed of the same settings. */
    pending:
      pendingReview !== null && ofKind.includes(pendingReview) && hasSameSettings(pendingReview)
        ? pendingReview
        : null,
    /** The last successful attempt with the same settings. */
    lastSuccess: isApplied ? latest : null,
    /** The store has changes that are later than the last full feed. */
    hasLaterChanges,
    isFetched: source.kind === 'block' || source.kind === 'changes',
  };
}

/** Fetches a feed. Returns null, or why it need not be imported. */
export async function fetchAttempt(
  running: RunningJob,
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
  // Even if nothing is imported now, because this may become the only stored copy of the feed.
  if (mapping !== null) archive.keepMapping(id, mapping.text);
  if (source.kind === 'block' && hasLaterChanges && lastSuccess !== null && isSameFile(lastSuccess))
    return { outcome: 'unchanged', message: 'the store has later changes than this full feed' };
  return isFetched ? sameAsRefused(ofKind.filter(isSameFile), pending) : null;
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

/** Fetches a job's feed into its path. */
export async function fetchFor(
  { provider, source, archive, path }: RunningJob,
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
function blockOf({ provider: { feed }, source, mapping }: RunningJob): string {
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
export function feedOf(feed: FeedBlock, kind: JobSource['kind']): FeedBlock | null {
  if (kind !== 'changes') return feed;
  return feed.changes === undefined ? null : { ...feed, source: feed.changes.source };
}

/** Whether a feed was read recently. On a new day, other packages of the same file are on sale. */
function isStillSeen(last: Attempt | null, now: number): boolean {
  if (last === null || now - last.startedAt >= SEEN_FOR_MS) return false;
  return todayInLondon(last.startedAt) === todayInLondon(now);
}
