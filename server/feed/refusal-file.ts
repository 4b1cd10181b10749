import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { harmless } from './formats/feed-text.ts';
import type { Problem } from './formats/raw-row.ts';

const EXAMPLES = 3;

/** Of further problems, the report has only counts. */
export const MAX_LINES = 50_000;

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
  /** How many of these rows the report lists: all, unless it is full. */
  listed: number;
  examples: { line: number; value: string }[];
}

export type RefusalFile = ReturnType<typeof openRefusalFile>;

/** Reports kept per provider. */
const KEPT_REPORTS = 30;

/**
 * An import's report: a line of JSON for each problem of each row, up to a limit. The last line counts
 * unlisted problems by reason. `path` null: the problems are only counted.
 */
export function openRefusalFile(path: string | null) {
  const groups = new Map<string, RefusalGroup>();
  const lines: string[] = [];
  let columnOf: (field: string) => string | undefined = () => undefined;
  let isFull = false;
  let isFinished = false;

  function groupOf(
    field: string,
    column: string | undefined,
    reason: string,
    isTaken: boolean,
  ): RefusalGroup {
    const key = `${isTaken}\n${field}\n${column ?? ''}\n${reason}`;
    const group = groups.get(key) ?? { isTaken, field, column, reason, count: 0, listed: 0, examples: [] };
    groups.set(key, group);
    return group;
  }

  /** Sorted by count, largest first. */
  const groupsBySize = () => [...groups.values()].toSorted((one, other) => other.count - one.count);

  function add(line: number, problems: readonly Problem[], fate: Fate = {}): void {
    // Either all problems of a row are listed or none.
    isFull ||= lines.length + problems.length > MAX_LINES;
    // What is wrong with a column is listed once, with the fields that are read from it.
    const byColumn = Map.groupBy(problems, (one) => `${columnOf(one.field) ?? one.field}\n${one.reason}`);
    for (const [problem, ...others] of byColumn.values()) {
      if (problem === undefined) continue;
      const fields = [problem, ...others].map(({ field }) => field).join(', ');
      const group = groupOf(fields, columnOf(problem.field), problem.reason, fate.taken === true);
      group.count += 1;
      if (isFull) continue;
      const { field, column, reason } = group;
      const written = problem.value === undefined ? '' : harmless(problem.value);
      const value = written.length > MAX_VALUE ? `${written.slice(0, MAX_VALUE)}…` : written;
      lines.push(`${JSON.stringify({ line, field, column, value, reason, ...fate })}\n`);
      group.listed += 1;
      if (group.examples.length < EXAMPLES) group.examples.push({ line, value });
    }
  }

  return {
    path,
    /** Sets how to find a field's column in the feed, for problems added later. */
    locate(columns: typeof columnOf): void {
      columnOf = columns;
    },
    add,
    /** Forgets everything that was added, because the feed is read again. */
    clear(): void {
      groups.clear();
      lines.length = 0;
      isFull = false;
    },
    groups: groupsBySize,
    /** Writes the file, unless nothing was added; add nothing afterwards. Throws if the disk is full. */
    finish(): void {
      if (isFinished || path === null) return;
      isFinished = true;
      const notListed = groupsBySize()
        .filter(({ count, listed }) => count > listed)
        .map(({ listed, count, field, column, reason }) => ({
          field,
          column,
          reason,
          count: count - listed,
        }));
      if (notListed.length > 0) lines.push(`${JSON.stringify({ notListed })}\n`);
      if (lines.length === 0) return;
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, lines.join(''), { mode: 0o600 });
    },
  };
}

/** Deletes all but a provider's newest reports. Their names sort by time. */
export function removeOldReports(folder: string, provider: string): void {
  const reports = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.startsWith(`${provider}-`))
    .toSorted();
  for (const name of reports.slice(0, -KEPT_REPORTS)) rmSync(join(folder, name), { force: true });
}
