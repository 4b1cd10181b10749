import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { harmless } from './formats/feed-text.ts';
import type { LocatedProblem } from './map/locate-problems.ts';
import type { RefusalReport } from './map/read-packages.ts';

const WRITE_AFTER = 65_536;
const EXAMPLES = 3;

/** Beyond either limit, rows are only counted: a small compressed feed may have millions. */
export const MAX_LINES = 50_000;
const MAX_BYTES = 10_000_000;

/** The longest value in characters, with codes for invisible ones. */
const MAX_VALUE = 240;

/** Marks rows that were left out or imported with a warning; refused rows have no mark. */
type Fate = { leftOut?: true; taken?: true };

/** Rows with the same reason, for the summary. */
export interface RefusalGroup {
  isTaken: boolean;
  field: string;
  column: string | undefined;
  reason: string;
  count: number;
  /** How many of them the report lists: all, unless it is full. */
  listed: number;
  examples: { line: number; value: string }[];
}

/**
 * An import's report: a line of JSON for each problem of each row, up to a limit. The last line counts
 * unlisted problems by reason.
 */
export interface RefusalFile extends RefusalReport {
  /** Null: the problems are only counted. */
  readonly path: string | null;
  /** Sorted by count, largest first. */
  groups(): RefusalGroup[];
  /** Writes the last line; add nothing afterwards. Throws if the disk is full. */
  finish(): void;
  /** Whether the report could not be written; it is then deleted. */
  isLost(): boolean;
  /** Closes the file, and deletes it if it is empty or incomplete. A full disk does not make it throw. */
  close(): void;
}

/** Reports kept per provider. */
const KEPT_REPORTS = 30;

export function openRefusalFile(path: string | null): RefusalFile {
  if (path !== null) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = path === null ? null : openSync(path, 'w', 0o600);
  const groups = new Map<string, RefusalGroup>();
  let pending = '';
  let lines = 0;
  let bytes = 0;
  let isFull = false;
  let isFinished = false;
  let isLost = false;

  function write(): void {
    const text = Buffer.from(pending);
    pending = '';
    if (file === null) return;
    try {
      for (let written = 0; written < text.length; ) written += writeSync(file, text, written);
    } catch (error) {
      isLost = true;
      throw error;
    }
  }

  function finish(): void {
    if (isFinished || isLost) return;
    isFinished = true;
    const rest = groupsBySize().filter(({ count, listed }) => count > listed);
    const notListed = rest.map(({ field, column, reason, count, listed }) => ({
      field,
      column,
      reason,
      count: count - listed,
    }));
    if (rest.length > 0) pending += `${JSON.stringify({ notListed })}\n`;
    write();
  }

  function groupOf({ field, column, reason }: LocatedProblem, fate: Fate): RefusalGroup {
    const isTaken = fate.taken === true;
    const key = `${isTaken}\n${field}\n${column ?? ''}\n${reason}`;
    const known = groups.get(key);
    if (known !== undefined) return known;
    const group = { isTaken, field, column, reason, count: 0, listed: 0, examples: [] };
    groups.set(key, group);
    return group;
  }

  function groupsBySize(): RefusalGroup[] {
    return [...groups.values()].toSorted((one, other) => other.count - one.count);
  }

  function report(line: number, problems: readonly LocatedProblem[], fate: Fate): void {
    // Either all problems of a row are listed or none.
    isFull ||= lines + problems.length > MAX_LINES || bytes > MAX_BYTES;
    for (const problem of problems) {
      const group = groupOf(problem, fate);
      group.count += 1;
      if (isFull) continue;
      const { field, column, reason } = problem;
      const value = writtenValue(problem);
      const written = `${JSON.stringify({ line, field, column, value, reason, ...fate })}\n`;
      pending += written;
      lines += 1;
      bytes += Buffer.byteLength(written);
      group.listed += 1;
      if (group.examples.length < EXAMPLES) group.examples.push({ line, value });
    }
    if (pending.length > WRITE_AFTER) write();
  }

  return {
    path,
    add: (line, problems, isLeftOut) => report(line, problems, isLeftOut ? { leftOut: true } : {}),
    remark: (line, remarks) => report(line, remarks, { taken: true }),
    groups: groupsBySize,
    finish,
    isLost: () => isLost,
    close() {
      try {
        finish();
      } catch {
        // Keeps the original error of the import visible.
      }
      if (file === null || path === null) return;
      closeSync(file);
      if (lines === 0 || isLost) rmSync(path, { force: true });
    },
  };
}

function writtenValue({ value }: LocatedProblem): string {
  if (value === undefined) return '';
  const written = harmless(value);
  return written.length > MAX_VALUE ? `${written.slice(0, MAX_VALUE)}…` : written;
}

/** Deletes all but a provider's newest reports. Their names sort by time. */
export function removeOldReports(folder: string, provider: string): void {
  const reports = readdirSync(folder)
    .filter((name) => name.startsWith(`${provider}-`))
    .toSorted();
  for (const name of reports.slice(0, -KEPT_REPORTS)) rmSync(join(folder, name), { force: true });
}
