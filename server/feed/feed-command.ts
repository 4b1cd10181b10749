import { removeUnusedRecords } from '../inventory/tables/remove-unused-records.ts';
import { errorMessage } from '../lib/error-message.ts';
import { OutcomeUnknown } from '../lib/store-unavailable.ts';
import { HISTORY_REFERENCES } from '../price-history/history-table.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { isStoreLocked } from '../storage/store-locked.ts';
import { diskTrouble } from './disk-trouble.ts';
import { FEED_HELP, type FeedCommand, type ImportCommand, parseFeedArguments } from './feed-arguments.ts';
import { plainLine } from './formats/feed-text.ts';
import { FeedFault } from './formats/raw-row.ts';
import { type FeedOptions, importFeed } from './import-feed.ts';
import { uncleared } from './import-summary.ts';
import { type ImportLease, LeaseLost, type TakenLease, takeLease } from './write/import-lease.ts';
import { removeProvider } from './write/remove-provider.ts';
import { readLastImports } from './write/store-notes.ts';

/** The command's exit codes. */
export const EXIT = { done: 0, refused: 1, usage: 2, held: 3, busy: 4 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export async function feedCommand(words: readonly string[], options: FeedOptions): Promise<ExitCode> {
  const codes = options.providers.providers.map(({ code }) => code);
  const parsed = parseFeedArguments(words, codes);
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
  try {
    return await run(parsed, { ...options, out });
  } catch (error) {
    const { exit, message } = describeFailure(error, parsed.kind, options.dataDir);
    out(message);
    return exit;
  }
}

function run(command: FeedCommand, options: FeedOptions): Promise<ExitCode> {
  if (command.kind === 'status') return status(options);
  if (command.kind === 'remove') return remove(command.provider, options);
  return importOrCheck(command, options);
}

const FAILED: Readonly<Record<FeedCommand['kind'], string>> = {
  status: 'The store cannot be read',
  remove: 'Removal failed; nothing was changed',
  check: 'Check failed; nothing was changed',
  import: 'Import failed; nothing was changed',
};

function describeFailure(
  error: unknown,
  kind: FeedCommand['kind'],
  dataDir: string,
): { exit: ExitCode; message: string } {
  if (isStoreLocked(error)) {
    const message = 'Another program has locked the store; nothing was changed. Try again when it is done.';
    return { exit: EXIT.busy, message };
  }
  if (error instanceof LeaseLost) return { exit: EXIT.busy, message: `${error.message}.` };
  if (error instanceof OutcomeUnknown) {
    const message = `${errorMessage(error)}. Either all changes were saved or none. Check npm run feed -- status, or repeat the command once the store responds: repeating is safe.`;
    return { exit: EXIT.refused, message };
  }
  if (error instanceof FeedFault) return { exit: EXIT.refused, message: error.message };
  return {
    exit: EXIT.refused,
    message: `${FAILED[kind]}: ${diskTrouble(error, dataDir) ?? errorMessage(error)}.`,
  };
}

async function importOrCheck(command: ImportCommand, options: FeedOptions): Promise<ExitCode> {
  const { providers } = options.providers;
  const provider = providers.find(({ code }) => code === command.provider);
  if (provider === undefined) {
    const known = providers.map(({ code }) => code).join(', ');
    options.out(
      `providers.json has no provider ${command.provider}${known === '' ? '' : ` (it has ${known})`}. Add it, with the hosts of its deep links.`,
    );
    return EXIT.usage;
  }
  return withLease(provider.code, options, async (_database, lease) => {
    const kind = await importFeed(command, provider, lease, options);
    return kind === 'held' ? EXIT.held : EXIT.done;
  });
}

function remove(code: string, options: FeedOptions): Promise<ExitCode> {
  return withLease(code, options, async (database, lease) => {
    options.out(`${code}: ${await removeProvider(database, lease, code)} packages removed.`);
    try {
      removeUnusedRecords(database, HISTORY_REFERENCES, lease.renew);
    } catch (error) {
      options.out(uncleared(error));
    }
    return EXIT.done;
  });
}

async function status({ store, providers, out }: FeedOptions): Promise<ExitCode> {
  const database = openDatabase(store);
  try {
    const imports = readLastImports(database);
    for (const { provider, last } of imports) {
      const { at, format, packages, added, changed, removed, refused } = last;
      out(
        `${provider}: ${packages} packages from ${format} at ${at}; ${added} new, ${changed} changed, ${removed} removed, ${refused} rows refused`,
      );
    }
    const imported = new Set(imports.map(({ provider }) => provider));
    for (const { code } of providers.providers)
      if (!imported.has(code)) out(`${code}: no feed has been imported`);
    if (imports.length === 0 && providers.providers.length === 0) out('providers.json has no provider.');
  } finally {
    database.close();
  }
  return EXIT.done;
}

/** Runs `work` while this process has the store's import lease. */
async function withLease(
  provider: string,
  { store, openOptions = {}, now, out }: FeedOptions,
  work: (database: SqlDatabase, lease: ImportLease) => Promise<ExitCode>,
): Promise<ExitCode> {
  const database = openDatabase(store, openOptions);
  try {
    const attempt = takeLease(database, provider, now);
    if (attempt.kind === 'busy') {
      out(describeHolder(attempt));
      return EXIT.busy;
    }
    try {
      return await work(database, attempt.lease);
    } finally {
      release(attempt.lease);
    }
  } finally {
    database.close();
  }
}

function describeHolder({ provider, by, since, until }: Extract<TakenLease, { kind: 'busy' }>): string {
  const time = (ms: number) => new Date(ms).toISOString().slice(11, 19);
  return `Another import is running: ${provider}, since ${time(since)} UTC, ${by}. Try again when it is done. If it was killed, its lease ends at ${time(until)} UTC.`;
}

/** Ignores a failed release: the work is done, and the lease expires. */
function release(lease: ImportLease): void {
  try {
    lease.release();
  } catch {}
}
