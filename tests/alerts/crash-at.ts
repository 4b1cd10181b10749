import { DatabaseSync } from 'node:sqlite';

/** Where a process may be killed: around the commits of its transactions, and around its calls to the provider. */
export const CRASH_KINDS = ['before commit', 'after commit', 'before call', 'after call'] as const;

export type CrashKind = (typeof CRASH_KINDS)[number];

/** Counts what has come by, and kills this process without a word at the `at`th of a kind. */
export function crashAt(point: { kind: CrashKind; at: number } | null): {
  counts: Record<CrashKind, number>;
} {
  const counts = { 'before commit': 0, 'after commit': 0, 'before call': 0, 'after call': 0 };
  const passes = (kind: CrashKind) => {
    counts[kind] += 1;
    if (point?.kind === kind && counts[kind] === point.at) process.kill(process.pid, 'SIGKILL');
  };
  const exec = DatabaseSync.prototype.exec;
  DatabaseSync.prototype.exec = function (sql: string) {
    const isCommit = sql === 'commit';
    if (isCommit) passes('before commit');
    exec.call(this, sql);
    if (isCommit) passes('after commit');
  };
  const call = globalThis.fetch;
  globalThis.fetch = async (...request) => {
    passes('before call');
    const response = await call(...request);
    passes('after call');
    return response;
  };
  return { counts };
}
