import type { MessageProvider } from '../../server/alerts/providers/message-provider.ts';
import type { SqlDatabase, SqlTransaction } from '../../server/storage/sql-database.ts';

/** Points at which a process may be killed: before and after commits, and around calls to the provider. */
export const CRASH_KINDS = [
  'before commit',
  'after commit',
  'before call',
  'during call',
  'after call',
] as const;

/** The `ALERTS_KEY` of every process. */
export const CRASH_KEY = 'c'.repeat(64);

export type CrashKind = (typeof CRASH_KINDS)[number];

/** Counts the points reached, and kills this process at the `at`th point of the kind. */
export function crashAt(point: { kind: CrashKind; at: number } | null): {
  counts: Record<CrashKind, number>;
  watchCalls(provider: MessageProvider): void;
  watchCommits(database: SqlDatabase): void;
} {
  const counts = {
    'before commit': 0,
    'after commit': 0,
    'before call': 0,
    'during call': 0,
    'after call': 0,
  };
  const passes = (kind: CrashKind) => {
    counts[kind] += 1;
    if (point?.kind === kind && counts[kind] === point.at) process.kill(process.pid, 'SIGKILL');
  };
  return {
    counts,
    watchCommits(database) {
      const write = database.write.bind(database);
      database.write = async (lock, work, waitMs) => {
        const passing = async (tx: SqlTransaction) => {
          const result = await work(tx);
          passes('before commit');
          return result;
        };
        const result = await write(lock, passing, waitMs);
        passes('after commit');
        return result;
      };
    },
    watchCalls(provider) {
      const send = provider.send.bind(provider);
      provider.send = async (message, signal) => {
        passes('before call');
        const pending = send(message, signal);
        // The calls' thread has the message, but may not have started the call yet.
        passes('during call');
        const outcome = await pending;
        passes('after call');
        return outcome;
      };
    },
  };
}
