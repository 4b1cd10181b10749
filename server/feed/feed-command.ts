import { createInterface } from 'node:readline/promises';
import { setTimeout } from 'node:timers/promises';
import { errorMessage } from '../lib/error-message.ts';
import { OutcomeUnknown } from '../lib/store-unavailable.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { isStoreLocked } from '../storage/store-locked.ts';
import {
  type Attempt,
  attemptsOf,
  beginAttempt,
  endAttempt,
  judgeAttempt,
  type Outcome,
  stateOf,
} from './attempts/attempt-table.ts';
import { feedArchive, goodFeeds } from './attempts/feed-archive.ts';
import { diskTrouble } from './disk-trouble.ts';
import { FEED_HELP, type FeedCommand, parseFeedArguments } from './feed-arguments.ts';
import { attemptLines, scheduleLines, statusLines } from './feed-status.ts';
import { plainLine } from './formats/feed-text.ts';
import { FeedFault } from './formats/raw-row.ts';
import type { HolidayProvider } from './map/holiday-providers.ts';
import { plannedWork, SETTINGS_CHANGED, settingsOf } from './next-work.ts';
import { clearUnused, type FeedJob, type FeedOptions, type JobSource, runFeed } from './run-feed.ts';
import { type ImportLease, LeaseLost, type TakenLease, takeLease } from './write/import-lease.ts';
import { removeProvider } from './write/remove-provider.ts';

/** The command's exit codes. */
export const EXIT = { done: 0, refused: 1, usage: 2, held: 3, busy: 4 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** How often `run` tries to take the lease. */
const QUEUE_POLL_MS = 1_000;

export async function feedCommand(words: readonly string[], options: FeedOptions): Promise<ExitCode> {
  const { providers } = options.providers;
  const codes = providers.map(({ code }) => code);
  const scheduled = providers.filter(({ feed }) => feed !== null).map(({ code }) => code);
  const parsed = parseFeedArguments(words, codes, scheduled);
  if (parsed.kind === 'help') {
    options.out(FEED_HELP);
    return EXIT.done;
  }
  if (parsed.kind === 'wrong') {
    options.out(`${parsed.message}\n\n${FEED_HELP}`);
    return EXIT.usage;
  }
  // Output may quote names from a feed: columns, files of a zip, places.
  const out = (line: string) => options.out(plainLine(line));
  return guarded(parsed.kind, { ...options, out }, () => run(parsed, { ...options, out }));
}

/** Prints why a command failed, and returns its exit code. */
async function guarded(
  kind: FeedCommand['kind'],
  { dataDir, out }: FeedOptions,
  work: () => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    const isBusy = isStoreLocked(error) || error instanceof LeaseLost;
    out(messageOf(error, kind, dataDir));
    return isBusy ? EXIT.busy : EXIT.refused;
  }
}

async function run(command: FeedCommand, options: FeedOptions): Promise<ExitCode> {
  switch (command.kind) {
    case 'schedule':
      return read(options, (database) =>
        scheduleLines(plannedWork(database, { ...options, now: options.now() }), options.now()),
      );
    case 'status':
      return read(options, (database) => statusLines(database, options));
    case 'show':
      return read(options, (database) => attemptLines(attemptsOf(database, command.provider, 20)));
    case 'remove':
      return remove(command, options);
    case 'rollback':
      return rollBack(command, options);
    case 'discard':
      return discard(command.provider, options);
    case 'accept':
      return accept(command.provider, options);
    case 'run':
      return runAll(command.providers, options);
    case 'work':
      return runDue(command.provider, options);
    case 'import':
    case 'check': {
      const { source, isAccepted } = command;
      const job = { source, isAccepted, isTrial: command.kind === 'check' };
      return withProvider(command.provider, options, (provider) => runJob({ ...job, provider }, options));
    }
  }
}

function failed(kind: FeedCommand['kind']): string {
  if (kind === 'status' || kind === 'schedule' || kind === 'show') return 'The store cannot be read';
  const what = { remove: 'Removal', rollback: 'Rollback', discard: 'Discarding', check: 'Check' };
  return `${Object.hasOwn(what, kind) ? what[kind as keyof typeof what] : 'Import'} failed; nothing was changed`;
}

function messageOf(error: unknown, kind: FeedCommand['kind'], dataDir: string): string {
  if (isStoreLocked(error))
    return 'Another program has locked the store; nothing was changed. Try again when it is done.';
  if (error instanceof LeaseLost) return `${error.message}.`;
  if (error instanceof OutcomeUnknown)
    return `${errorMessage(error)}. Either all changes were saved or none. Check npm run feed -- status, or repeat the command once the store responds: repeating is safe.`;
  if (error instanceof FeedFault) return error.message;
  return `${failed(kind)}: ${diskTrouble(error, dataDir) ?? errorMessage(error)}.`;
}

async function withProvider(
  code: string,
  { providers: { providers }, out }: FeedOptions,
  work: (provider: HolidayProvider) => Promise<ExitCode>,
): Promise<ExitCode> {
  const provider = providers.find((one) => one.code === code);
  if (provider !== undefined) return work(provider);
  const known = providers.map((one) => one.code).join(', ');
  out(
    `providers.json has no provider ${code}${known === '' ? '' : ` (it has ${known})`}. Add it, with the hosts of its deep links.`,
  );
  return EXIT.usage;
}

async function runJob(job: FeedJob, options: FeedOptions, waits = false): Promise<ExitCode> {
  const work = async (database: SqlDatabase, lease: ImportLease) =>
    (await runFeed(job, database, lease, options)) === 'held' ? EXIT.held : EXIT.done;
  return withLease(job.provider.code, options, work, waits);
}

/** Imports one provider after the other; each waits for its turn. The first failure decides the exit code. */
async function runAll(codes: readonly string[], options: FeedOptions): Promise<ExitCode> {
  let exit: ExitCode = EXIT.done;
  const job = { source: { kind: 'block' as const }, isAccepted: false, isTrial: false };
  for (const code of codes) {
    const ended = await guarded('run', options, () =>
      withProvider(code, options, (provider) => runJob({ ...job, provider }, options, true)),
    );
    if (exit === EXIT.done) exit = ended;
  }
  return exit;
}

/** Does a provider's due work, unless another process is doing it or has done it. */
async function runDue(code: string, options: FeedOptions): Promise<ExitCode> {
  return withLease(code, { ...options, onBusy: () => EXIT.done }, async (database, lease) => {
    const now = options.now();
    const planned = plannedWork(database, { ...options, now }).find((one) => one.code === code);
    if (planned === undefined || planned.work.at > now) return EXIT.done;
    const { work } = planned;
    if (work.kind === 'withdraw') {
      const provider = options.providers.providers.find((one) => one.code === code);
      const settings = provider && settingsOf(provider);
      const removal = { outcome: 'withdrawn', why: work.why, settings } as const;
      await removePackages(database, lease, code, removal, options);
      return EXIT.done;
    }
    const source: JobSource =
      work.kind === 'reapply'
        ? { kind: 'stored', attempt: work.attempt, why: SETTINGS_CHANGED }
        : { kind: work.kind === 'run' ? 'block' : 'changes' };
    return withProvider(code, options, async (provider) => {
      const job = { provider, isAccepted: work.kind === 'reapply', isTrial: false };
      let outcome = await runFeed({ ...job, source }, database, lease, options);
      if (outcome === 'gap')
        outcome = await runFeed({ ...job, source: { kind: 'block' } }, database, lease, options);
      return outcome === 'held' ? EXIT.held : EXIT.done;
    });
  });
}

/** Imports the provider's held feed as it was fetched. */
async function accept(code: string, options: FeedOptions): Promise<ExitCode> {
  return withProvider(code, options, (provider) =>
    withLease(code, options, async (database, lease) => {
      const held = stateOf(attemptsOf(database, code))?.held ?? null;
      if (held === null) return nothingHeld(code, options);
      const why = `the feed held at ${timeOf(held)}`;
      const source = { kind: 'stored' as const, attempt: held, why };
      await runFeed({ provider, source, isAccepted: true, isTrial: false }, database, lease, options);
      return EXIT.done;
    }),
  );
}

async function discard(code: string, options: FeedOptions): Promise<ExitCode> {
  return withLease(code, options, async (database) => {
    const held = stateOf(attemptsOf(database, code))?.held ?? null;
    if (held === null) return nothingHeld(code, options);
    judgeAttempt(database, held.id, 'discarded', held.message);
    feedArchive(options.dataDir, code).prune(attemptsOf(database, code));
    options.out(`${code}: the feed held at ${timeOf(held)} is discarded.`);
    return EXIT.done;
  });
}

function nothingHeld(code: string, { out }: FeedOptions): ExitCode {
  out(`${code}: no feed is held.`);
  return EXIT.usage;
}

/** Imports the latest good feed that differs from the present one. */
async function rollBack(
  { provider: code, isSure }: { provider: string; isSure: boolean },
  options: FeedOptions,
): Promise<ExitCode> {
  const { dataDir, out, now } = options;
  return withProvider(code, options, (provider) =>
    withLease(code, options, async (database, lease) => {
      const [present, previous] = goodFeeds(attemptsOf(database, code), feedArchive(dataDir, code).has);
      if (present === undefined || previous === undefined) {
        out(`${code}: no earlier good feed is stored on this machine.`);
        return EXIT.usage;
      }
      const packages = (one: Attempt) => `${one.detail.measure?.packages ?? 'unknown'} packages`;
      out(
        `${code} goes back from the feed of ${timeOf(present)} (${packages(present)}) to that of ${timeOf(previous)} (${packages(previous)}).`,
      );
      if (!isSure && !(await confirmed(options))) return EXIT.usage;
      // In the import's transaction: if the mark were lost, the next run would import the bad feed again.
      const onWriting = (written: SqlDatabase) => {
        for (const one of attemptsOf(written, code)) {
          if (one.detail.checksum !== present.detail.checksum || one.outcome !== 'imported') continue;
          judgeAttempt(written, one.id, 'rolled back', `Rolled back at ${new Date(now()).toISOString()}`);
        }
      };
      const why = `rollback to ${timeOf(previous)}`;
      const source = { kind: 'stored' as const, attempt: previous, why, onWriting };
      await runFeed({ provider, source, isAccepted: true, isTrial: false }, database, lease, options);
      return EXIT.done;
    }),
  );
}

async function remove(
  { provider: code, isSure }: { provider: string; isSure: boolean },
  options: FeedOptions,
): Promise<ExitCode> {
  return withLease(code, options, async (database, lease) => {
    const count = database.prepare(
      'select count(*) from offer join provider on provider.id = offer.provider where provider.code = ?',
    );
    if (!isSure) {
      options.out(
        `This removes the ${Number(count.row(code)?.[0])} packages of ${code}, but not their price history.`,
      );
      if (!(await confirmed(options))) return EXIT.usage;
    }
    const removal = { outcome: 'removed', why: 'npm run feed -- remove' } as const;
    await removePackages(database, lease, code, removal, options);
    return EXIT.done;
  });
}

/** Removes a provider's packages, and records the removal as an attempt. */
async function removePackages(
  database: SqlDatabase,
  lease: ImportLease,
  code: string,
  { why, outcome, settings }: { why: string; outcome: Outcome; settings?: string | undefined },
  { now, out }: FeedOptions,
): Promise<void> {
  const id = beginAttempt(database, { provider: code, source: why, now: now() });
  const end = (ended: Outcome, message: string) =>
    endAttempt(database, id, { outcome: ended, message, detail: { settings }, now: now() });
  let removed: number;
  try {
    removed = await removeProvider(database, lease, code, (count) => end(outcome, `${count} packages`));
  } catch (error) {
    end('failed', errorMessage(error));
    throw error;
  }
  const reason = outcome === 'withdrawn' ? `, because ${why}` : '';
  out(`${code}: ${removed} packages removed${reason}.`);
  clearUnused(database, lease, out);
}

async function confirmed({ input, out }: FeedOptions): Promise<boolean> {
  out('Type yes to go on, or use --yes:');
  const { value } = await createInterface({ input })[Symbol.asyncIterator]().next();
  const isSure = String(value).trim().toLowerCase() === 'yes';
  if (!isSure) out('Nothing was changed.');
  return isSure;
}

async function read(
  { store, out }: FeedOptions,
  lines: (database: SqlDatabase) => readonly string[],
): Promise<ExitCode> {
  const database = openDatabase(store);
  try {
    for (const line of lines(database)) out(line);
  } finally {
    database.close();
  }
  return EXIT.done;
}

/** Runs `work` while this process has the store's import lease. `waits`: whether to wait for it. */
async function withLease(
  provider: string,
  { store, openOptions = {}, now, out, onBusy }: FeedOptions & { onBusy?: () => ExitCode },
  work: (database: SqlDatabase, lease: ImportLease) => Promise<ExitCode>,
  waits = false,
): Promise<ExitCode> {
  const database = openDatabase(store, openOptions);
  try {
    let attempt = takeLease(database, provider, now);
    if (attempt.kind === 'busy' && onBusy !== undefined) return onBusy();
    if (attempt.kind === 'busy') out(describeHolder(attempt, waits));
    while (waits && attempt.kind === 'busy') {
      await setTimeout(QUEUE_POLL_MS);
      attempt = takeLease(database, provider, now);
    }
    if (attempt.kind === 'busy') return EXIT.busy;
    try {
      return await work(database, attempt.lease);
    } finally {
      try {
        attempt.lease.release();
      } catch {
        // The work is done, and the lease will expire.
      }
    }
  } finally {
    database.close();
  }
}

function describeHolder(
  { provider, by, since, until }: Extract<TakenLease, { kind: 'busy' }>,
  waits: boolean,
): string {
  const time = (ms: number) => new Date(ms).toISOString().slice(11, 19);
  const next = waits ? 'Waiting.' : 'Try again when it is done.';
  return `Another import is running: ${provider}, since ${time(since)} UTC, ${by}. ${next} If it was killed, its lease ends at ${time(until)} UTC.`;
}

function timeOf({ startedAt }: Attempt): string {
  return new Date(startedAt).toISOString();
}
