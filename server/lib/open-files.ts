import { readFileSync } from 'node:fs';

/**
 * Files that the server opens besides its connections: the store in each thread, threads, pages, and the pool of
 * PostgreSQL.
 */
const OTHER_FILES = 128;

/** The fewest connections, however few files there may be. */
const FEWEST = 32;

/**
 * The connections for which the process has files (`ulimit -n`), with those for everything else left out: without a file, a
 * search or a page fails. Infinity where the system does not tell.
 */
export function connectionsWithFiles(limits: string = systemLimits()): number {
  // Node raises the soft limit to the hard one when it starts.
  const most = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return most === undefined ? Number.POSITIVE_INFINITY : Math.max(FEWEST, Number(most) - OTHER_FILES);
}

function systemLimits(): string {
  return process.platform === 'linux' ? readFileSync('/proc/self/limits', 'latin1') : '';
}
