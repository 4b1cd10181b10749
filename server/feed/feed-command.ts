import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isConfirmed } from '../lib/command-line.ts';
import { errorMessage } from '../lib/error-message.ts';
import { installedCommand } from '../lib/installed-command.ts';
import { OutcomeUnknown } from '../lib/store-unavailable.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase, SqlSession } from '../storage/sql-database.ts';
import { isStoreLocked } from '../storage/store-locked.ts';
import {
  type Attempt,
  attemptsOf,
  beginAttempt,
  endAttempt,
  isSuccessful,
  judgeAttempt,
  lastReadOf,
  latestAttempts,
  type Outcome,
  stateOf,
} from './attempts/attempt-table.ts';
import { feedArchive, successfulFeeds } from './attempts/feed-archive.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { type FeedCommand, parseFeedArguments, SOURCE_HELP } from './feed-arguments.ts';
import type { FeedJob, FeedOptions, JobSource } from './feed-job.ts';
import { attemptLines, scheduleLines, statusLines } from './feed-status.ts';
import { plainLine } from './formats/feed-text.ts';
import { FeedFault } from './formats/raw-row.ts';
import type { HolidayProvider } from './map/holiday-providers.ts';
import { plannedWork, SETTINGS_CHANGED, settingsOf } from './next-work.ts';
import { proposeForFile } from './propose/propose-for-file.ts';
import { mappingText } from './propose/propose-mapping.ts';
import { clearUnused, runFeed, writingOptions } from './run-feed.ts';
import { copySource, isPath } from './source/fetch-block.ts';
import {
  type ImportLease,
  LEASE_POLL_MS,
  LeaseLost,
  releaseQuietly,
  type TakenLease,
  takeLease,
  takeUnlessLocked,
  whileWriting,
} from './write/import-lease.ts';
import { removeProvider } from './write/remove-provider.ts';

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
  return guarded(parsed.kind, { ...options, out }, () => runCommand(parsed, { ...options, out }));
}

/** A command that cannot apply to what there is. */
class UsageFault extends Error {}

/** Prints why a command failed, and returns its exit code. */
async function guarded(
  kind: FeedCommand['kind'],
  { out }: FeedOptions,
  work: () => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    out(messageOf(error, kind));
    if (error instanceof UsageFault) return EXIT.usage;
    return isStoreLocked(error) || error instanceof LeaseLost ? EXIT.busy : EXIT.refused;
  }
}

/** A command: its lines of help, what is said if it fails, and what it does. */
interface Command<Kind extends FeedCommand['kind']> {
  /** Arguments and purpose; null: only the server's schedule uses it. */
  help: readonly [args: string, about: string] | null;
  failed: string;
  run(command: Extract<FeedCommand, { kind: Kind }>, options: FeedOptions): Promise<ExitCode>;
}

const CANNOT_READ = 'The store cannot be read';
const NOT_IMPORTED = 'Import failed; nothing was changed';

const COMMANDS: { readonly [Kind in FeedCommand['kind']]: Command<Kind> } = {
  run: {
    help: ['CODE | --all', 'fetches and imports as providers.json says; waits for its turn'],
    failed: NOT_IMPORTED,
    run: ({ providers }, options) => runAll(providers, options),
  },
  work: { help: null, failed: NOT_IMPORTED, run: ({ provider }, options) => runDue(provider, options) },
  check: {
    help: ['CODE', 'tries all of it, shows what is in it, changes nothing'],
    failed: 'Check failed; nothing was changed',
    run: importOrCheck,
  },
  propose: {
    help: ['SOURCE', 'proposes a mapping for a feed, and says why'],
    failed: 'No mapping can be proposed',
    run: propose,
  },
  status: {
    help: ['', "each provider's packages, its last attempt, and what is wrong"],
    failed: CANNOT_READ,
    run: (_, options) =>
      read(options, async (database) => [
        ...(await statusLines(database, options)),
        ...((await options.problems?.(database)) ?? []),
      ]),
  },
  schedule: {
    help: ['', 'what comes next for each provider'],
    failed: CANNOT_READ,
    run: (_, options) =>
      read(options, async (database) =>
        scheduleLines(await plannedWork(database, { ...options, now: options.now() }), options.now()),
      ),
  },
  show: {
    help: ['CODE', 'its attempts, with refusals and the largest price moves'],
    failed: CANNOT_READ,
    run: ({ provider }, options) =>
      read(options, async (database) => attemptLines(await latestAttempts(database, provider, 20))),
  },
  accept: {
    help: ['CODE', 'imports the feed that was held, or releases quarantined prices'],
    failed: NOT_IMPORTED,
    run: ({ provider }, options) => accept(provider, options),
  },
  discard: {
    help: ['CODE [--yes]', 'never imports it'],
    failed: 'Discarding failed; nothing was changed',
    run: discard,
  },
  rollback: {
    help: ['CODE [--yes]', 'goes back to the previous good feed'],
    failed: 'Rollback failed; nothing was changed',
    run: rollBack,
  },
  remove: {
    help: ['CODE [--yes]', "removes the provider's packages"],
    failed: 'Removal failed; nothing was changed',
    run: remove,
  },
  import: { help: null, failed: NOT_IMPORTED, run: importOrCheck },
};

/** The help of all commands. `import` and `check` of any source take more options. */
export const FEED_HELP = `Fetches and imports providers' feeds.

${Object.entries(COMMANDS)
  .flatMap(([name, { help }]) =>
    help === null ? [] : [`${`  npm run feed -- ${name} ${help[0]}`.padEnd(46)} ${help[1]}`],
  )
  .join('\n')}

${SOURCE_HELP}`;

async function importOrCheck(
  { kind, provider: code, source, isAccepted }: Extract<FeedCommand, { kind: 'import' | 'check' }>,
  options: FeedOptions,
): Promise<ExitCode> {
  const provider = providerOf(code, options);
  return runJob({ provider, source, isAccepted, isTrial: kind === 'check' }, options);
}

/** Prints a mapping to save and check. */
async function propose({ source }: { source: string }, options: FeedOptions): Promise<ExitCode> {
  const { workingDir, input, hosts, lists, now, out } = options;
  const folder = mkdtempSync(join(tmpdir(), 'skylark-feed-'));
  try {
    const path = join(folder, 'feed');
    const name = isPath(source) ? resolve(workingDir, source) : source;
    await copySource(name, path, { input, hosts, onRead: async () => {} });
    const { mapping, reasons, missing } = await proposeForFile(path, lists, now());
    for (const { what, choice, why } of reasons) out(`${what}: ${choice} (${why})`);
    if (missing.length > 0) out(`No column seems to have ${missing.join(', ')}: add what is missing.`);
    out(mapping === null ? 'It needs no mapping.' : 'The mapping, to save and to check:');
    if (mapping !== null) for (const line of mappingText(mapping).split('\n')) out(line);
    return EXIT.done;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a command of the table. */
function runCommand<Kind extends FeedCommand['kind']>(
  command: Extract<FeedCommand, { kind: Kind }>,
  options: FeedOptions,
): Promise<ExitCode> {
  const { run }: Command<Kind> = COMMANDS[command.kind as Kind];
  return run(command, options);
}

function messageOf(error: unknown, kind: FeedCommand['kind']): string {
  if (isStoreLocked(error))
    return 'Another program has locked the store; nothing was changed. Try again when it is done.';
  if (error instanceof LeaseLost) return `${error.message}.`;
  if (error instanceof OutcomeUnknown)
    return `${errorMessage(error)}. Either all changes were saved or none. Check ${installedCommand('feed', 'status')}, or repeat the command once the store responds: repeating is safe.`;
  if (error instanceof FeedFault || error instanceof UsageFault) return error.message;
  return `${COMMANDS[kind].failed}: ${errorMessage(error)}.`;
}

function providerOf(code: string, { providers: { providers } }: FeedOptions): HolidayProvider {
  const provider = providers.find((one) => one.code === code);
  if (provider !== undefined) return provider;
  const known = providers.map((one) => one.code).join(', ');
  throw new UsageFault(
    `providers.json has no provider ${code}${known === '' ? '' : ` (it has ${known})`}. Add it, with the hosts of its deep links.`,
  );
}

async function runJob(job: FeedJob, options: FeedOptions, whenBusy: WhenBusy = 'refuse'): Promise<ExitCode> {
  const work = async (database: SqlDatabase, lease: ImportLease) =>
    (await runFeed(job, database, lease, options)) === 'held' ? EXIT.held : EXIT.done;
  return withLease(job.provider.code, options, work, whenBusy);
}

/** Imports one provider after the other; each waits for its turn. The first failure decides the exit code. */
async function runAll(codes: readonly string[], options: FeedOptions): Promise<ExitCode> {
  let exit: ExitCode = EXIT.done;
  const job = { source: { kind: 'block' as const }, isAccepted: false, isTrial: false };
  for (const code of codes) {
    const ended = await guarded('run', options, () =>
      runJob({ ...job, provider: providerOf(code, options) }, options, 'wait'),
    );
    if (exit === EXIT.done) exit = ended;
  }
  return exit;
}

/** Does a provider's due work, unless another process is doing it or has done it. */
async function runDue(code: string, options: FeedOptions): Promise<ExitCode> {
  const work = async (database: SqlDatabase, lease: ImportLease) => {
    const now = options.now();
    const planned = (await plannedWork(database, { ...options, now })).find((one) => one.code === code);
    if (planned === undefined || planned.work.at > now) return EXIT.done;
    const next = planned.work;
    if (next.kind === 'withdraw') {
      const provider = options.providers.providers.find((one) => one.code === code);
      const settings = provider && settingsOf(provider);
      const removal = { outcome: 'withdrawn', why: next.why, settings } as const;
      await removePackages(database, lease, code, removal, options);
      return EXIT.done;
    }
    const isAccepted = next.kind === 'reapply';
    const run = (source: JobSource) =>
      runFeed(
        { provider: providerOf(code, options), source, isAccepted, isTrial: false },
        database,
        lease,
        options,
      );
    let outcome = await run(
      next.kind === 'reapply'
        ? { kind: 'stored', attempt: next.attempt, why: SETTINGS_CHANGED, keepsQuarantine: true }
        : { kind: next.kind === 'run' ? 'block' : 'changes' },
    );
    if (outcome === 'gap') outcome = await run({ kind: 'block' });
    return outcome === 'held' ? EXIT.held : EXIT.done;
  };
  return withLease(code, options, work, 'skip');
}

/** Imports the provider's held feed as it was fetched, or releases the quarantined prices of the last feed. */
async function accept(code: string, options: FeedOptions): Promise<ExitCode> {
  const provider = providerOf(code, options);
  return withLease(code, options, async (database, lease) => {
    const pending = stateOf(await attemptsOf(database, code))?.pendingReview;
    const last = await lastReadOf(database, code);
    const isQuarantining =
      (last?.detail.difference?.quarantined ?? 0) > 0 &&
      feedArchive(options.dataDir, code).has(last?.id ?? 0);
    const attempt = pending ?? (isQuarantining ? last : undefined);
    if (attempt === undefined) throw nothingHeld(code);
    const why = `the ${pending ? 'feed held' : 'prices quarantined'} at ${timeOf(attempt)}`;
    const source = { kind: 'stored' as const, attempt, why };
    await runFeed({ provider, source, isAccepted: true, isTrial: false }, database, lease, options);
    return EXIT.done;
  });
}

async function discard(
  { provider: code, isSure }: { provider: string; isSure: boolean },
  options: FeedOptions,
): Promise<ExitCode> {
  return withLease(code, options, async (database) => {
    const pending = stateOf(await attemptsOf(database, code))?.pendingReview ?? null;
    if (pending === null) throw nothingHeld(code);
    const question = `This deletes the feed of ${code} held at ${timeOf(pending)}.`;
    if (!(await confirmed(question, isSure, options))) return EXIT.usage;
    await judgeAttempt(database, pending.id, 'discarded', pending.message);
    feedArchive(options.dataDir, code).prune(await attemptsOf(database, code));
    options.out(`${code}: the feed held at ${timeOf(pending)} is discarded.`);
    return EXIT.done;
  });
}

function nothingHeld(code: string): UsageFault {
  return new UsageFault(`${code}: no feed is held.`);
}

/** Imports the latest good feed that differs from the present one. */
async function rollBack(
  { provider: code, isSure }: { provider: string; isSure: boolean },
  options: FeedOptions,
): Promise<ExitCode> {
  const { dataDir, out, now } = options;
  const provider = providerOf(code, options);
  return withLease(code, options, async (database, lease) => {
    const attempts = await attemptsOf(database, code);
    const [present, previous] = successfulFeeds(attempts, feedArchive(dataDir, code).has);
    if (present === undefined || previous === undefined)
      throw new UsageFault(`${code}: no earlier good feed is stored on this machine.`);
    // The feed's latest attempt may have compared nothing, because the store had later changes.
    const compared = ({ detail: { checksum } }: Attempt) =>
      attempts.find((one) => isSuccessful(one) && one.detail.checksum === checksum && one.detail.difference)
        ?.detail;
    const packages = (one: Attempt) => `${compared(one)?.measure?.packages ?? 'unknown'} packages`;
    const question = `${code} goes back from the feed of ${timeOf(present)} (${packages(present)}) to that of ${timeOf(previous)} (${packages(previous)}).`;
    if (isSure) out(question);
    if (!(await confirmed(question, isSure, options))) return EXIT.usage;
    // In the import's transaction: if the mark were lost, the next run would import the bad feed again.
    const onWriting = async (written: SqlSession) => {
      const message = `Rolled back at ${new Date(now()).toISOString()}`;
      for (const one of await attemptsOf(written, code))
        if (isSuccessful(one) && one.detail.checksum === present.detail.checksum)
          await judgeAttempt(written, one.id, 'rolled back', message);
    };
    const why = `rollback to ${timeOf(previous)}`;
    // What the feed had on sale goes on sale again, however its prices have moved since.
    const keepsQuarantine = (compared(previous)?.difference?.quarantined ?? 0) > 0;
    const source = { kind: 'stored' as const, attempt: previous, why, onWriting, keepsQuarantine };
    await runFeed({ provider, source, isAccepted: true, isTrial: false }, database, lease, options);
    return EXIT.done;
  });
}

async function remove(
  { provider: code, isSure }: { provider: string; isSure: boolean },
  options: FeedOptions,
): Promise<ExitCode> {
  return withLease(code, options, async (database, lease) => {
    const count = database.prepare(
      'select count(*) from offer join provider on provider.id = offer.provider where provider.code = ?',
    );
    const question = `This removes the ${Number((await count.row(code))?.[0])} packages of ${code}, but not their price history.`;
    if (!(await confirmed(question, isSure, options))) return EXIT.usage;
    const removal = { outcome: 'removed', why: installedCommand('feed', 'remove') } as const;
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
  options: FeedOptions,
): Promise<void> {
  const { now, out } = options;
  const detail = { settings };
  const id = await beginAttempt(database, { provider: code, source: why, now: now(), detail });
  const end = (session: SqlSession, ended: Outcome, message: string) =>
    endAttempt(session, id, { outcome: ended, message, detail, now: now() });
  let removed: number;
  try {
    removed = await whileWriting(database, code, writingOptions(lease, options), async (writing) => {
      const count = await removeProvider(database, writing, code, async (tx, gone) => {
        await end(tx, outcome, `${gone} packages`);
      });
      await clearUnused(database, writing, out);
      return count;
    });
  } catch (error) {
    await end(database, 'failed', errorMessage(error));
    throw error;
  }
  const reason = outcome === 'withdrawn' ? `, because ${why}` : '';
  out(`${code}: ${removed} packages removed${reason}.`);
}

function confirmed(question: string, isSure: boolean, { input, out }: FeedOptions): Promise<boolean> {
  return isConfirmed(question, isSure, { input, print: out });
}

async function read(
  { store, out }: FeedOptions,
  lines: (database: SqlDatabase) => Promise<readonly string[]>,
): Promise<ExitCode> {
  const database = await openDatabase(store);
  try {
    for (const line of await lines(database)) out(line);
  } finally {
    await database.close();
  }
  return EXIT.done;
}

/** What to do while another process works on the same provider. */
type WhenBusy = 'refuse' | 'wait' | 'skip';

/** Runs `work` while this process has the provider's lease. */
async function withLease(
  provider: string,
  { store, openOptions = {}, now, out, pause = setTimeout }: FeedOptions,
  work: (database: SqlDatabase, lease: ImportLease) => Promise<ExitCode>,
  whenBusy: WhenBusy = 'refuse',
): Promise<ExitCode> {
  const database = await openDatabase(store, openOptions);
  try {
    let attempt = await takeLease(database, provider, now);
    if (attempt.kind === 'busy' && whenBusy === 'skip') return EXIT.done;
    if (attempt.kind === 'busy') out(describeHolder(attempt, whenBusy === 'wait'));
    while (whenBusy === 'wait' && attempt.kind === 'busy') {
      await pause(LEASE_POLL_MS);
      attempt = (await takeUnlessLocked(() => takeLease(database, provider, now))) ?? attempt;
    }
    if (attempt.kind === 'busy') return EXIT.busy;
    try {
      return await work(database, attempt.lease);
    } finally {
      await releaseQuietly(attempt.lease);
    }
  } finally {
    await database.close();
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
