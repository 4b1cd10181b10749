import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { harmless } from './feed-text.ts';
import type { Problem } from './raw-row.ts';
import type { RefusalReport } from './read-packages.ts';

const WRITE_AFTER = 65_536;
const EXAMPLES = 3;

/** Rows with one trouble, for the summary. */
export interface RefusalGroup {
  field: string;
  reason: string;
  count: number;
  examples: { line: number; value: string }[];
}

/** The report of an import: a line of JSON for each trouble of each row that was not taken, and their summary. */
export interface RefusalFile extends RefusalReport {
  readonly path: string;
  /** The most frequent first. */
  groups(): RefusalGroup[];
  /** Places that visitors cannot choose, with how many packages are there, the most first. */
  unlisted(): { place: string; count: number }[];
  /** Ends the file; one without a line is removed. */
  close(): void;
}

/** Reports that are kept of a provider. */
const KEPT_REPORTS = 30;

/** Of so many places only the number is known. */
const MOST_PLACES = 10_000;

export function openRefusalFile(path: string): RefusalFile {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'w', 0o600);
  const groups = new Map<string, RefusalGroup>();
  const places = new Map<string, number>();
  let pending = '';
  let isEmpty = true;

  function write(): void {
    writeSync(file, pending);
    pending = '';
  }

  return {
    path,
    add(line, problems, isLeftOut) {
      for (const problem of problems) {
        const { field, reason } = problem;
        const value = writtenValue(problem);
        pending += `${JSON.stringify({ line, field, value, reason, ...(isLeftOut ? { leftOut: true } : {}) })}\n`;
        const key = `${field}\n${reason}`;
        const group = groups.get(key) ?? { field, reason, count: 0, examples: [] };
        group.count += 1;
        if (group.examples.length < EXAMPLES) group.examples.push({ line, value });
        groups.set(key, group);
      }
      isEmpty = false;
      if (pending.length > WRITE_AFTER) write();
    },
    addUnlisted(place) {
      const known = places.get(place);
      if (known !== undefined || places.size < MOST_PLACES) places.set(place, (known ?? 0) + 1);
    },
    groups: () => [...groups.values()].toSorted((one, other) => other.count - one.count),
    unlisted: () =>
      [...places]
        .map(([place, count]) => ({ place, count }))
        .toSorted((one, other) => other.count - one.count),
    close() {
      write();
      closeSync(file);
      if (isEmpty) rmSync(path, { force: true });
    },
  };
}

function writtenValue({ value }: Problem): string {
  return value === undefined ? '' : harmless(value);
}

/** Removes a provider's reports but for the newest. Their names sort by their times. */
export function removeOldReports(folder: string, provider: string): void {
  const reports = readdirSync(folder)
    .filter((name) => name.startsWith(`${provider}-`))
    .toSorted();
  for (const name of reports.slice(0, -KEPT_REPORTS)) rmSync(join(folder, name), { force: true });
}
