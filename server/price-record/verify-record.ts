import { FIRST_ROOT, parseFile, RecordFault, rootOf } from './record-file.ts';
import { recordWalk } from './record-walk.ts';
import { formatScores, scorer } from './scores.ts';

export const ROOTS_FILE = 'roots.csv';
export const SCORES_FILE = 'scores.csv';
const DAY_FILE = /^(\d{4}-\d{2}-\d{2})\.csv$/;

/** `fault`: the first file and line that differ. `scores`: recomputed, as CSV. */
export type Verification =
  | { kind: 'fault'; fault: string }
  | { kind: 'verified'; days: number; root: string; isComplete: boolean; scores: string };

export function formatRoots(roots: readonly { day: string; root: string }[]): string {
  return `${['day,root', ...roots.map(({ day, root }) => `${day},${root}`)].join('\n')}\n`;
}

/**
 * Recomputes roots and scores from the texts of downloaded files by name, and compares them with each other, `roots.csv`
 * and `scores.csv`. The folder must have every file from its first day on. Reads nothing else.
 */
export function verifyRecord(files: ReadonlyMap<string, string>): Verification {
  const days = [...files.keys()].flatMap((name) => DAY_FILE.exec(name)?.[1] ?? []).toSorted();
  const [firstDay] = days;
  const lastDay = days.at(-1);
  if (firstDay === undefined || lastDay === undefined)
    return fault('The folder has no file such as 2026-12-01.csv');
  const begins = headOf(files.get(`${firstDay}.csv`) ?? '');
  const published = rootsIn(files.get(ROOTS_FILE));
  if (published === 'unreadable') return fault(`${ROOTS_FILE}, line 1: expected "day,root"`);
  const walk = recordWalk();
  const scored = scorer(lastDay);
  let place = { previousDay: begins.day, previousRoot: begins.root };
  for (const day of days) {
    const name = `${day}.csv`;
    const text = files.get(name) ?? '';
    try {
      const file = parseFile(text, { day, ...place });
      const due = walk.due(day);
      const own = file.outcomes.filter(({ drawn }) => drawn >= firstDay);
      const early = file.outcomes.length - own.length;
      for (let nth = 0; nth < Math.max(due.length, own.length); nth += 1) {
        const [wanted, found] = [due[nth], own[nth]];
        const isWanted =
          wanted?.drawn === found?.drawn &&
          wanted?.after === found?.after &&
          wanted?.verdict.package === found?.package;
        if (!isWanted) throw new RecordFault(firstLine(text) + early + nth, missing(wanted));
      }
      for (const settled of walk.add(file)) scored.add(settled);
    } catch (error) {
      if (error instanceof RecordFault) return fault(`${name}, line ${error.line}: ${error.message}`);
      throw error;
    }
    const root = rootOf(place.previousRoot, text);
    const listed = published?.get(day);
    if (published !== null && listed?.root !== root)
      return fault(
        `${name}: its root is ${root}, not as ${listed ? `in ${ROOTS_FILE}, line ${listed.line}` : ROOTS_FILE}`,
      );
    place = { previousDay: day, previousRoot: root };
  }
  const extra = [...(published?.keys() ?? [])].find((day) => day > firstDay && !days.includes(day));
  if (extra !== undefined) return fault(`${extra}.csv is missing: ${ROOTS_FILE} has its root`);
  const isComplete = begins.root === FIRST_ROOT;
  const scores = formatScores(scored.scores());
  const said = files.get(SCORES_FILE);
  if (isComplete && said !== undefined && said !== scores) {
    const [ours, theirs] = [scores.split('\n'), said.split('\n')];
    const line = ours.findIndex((one, nth) => one !== theirs[nth]);
    return fault(
      `${SCORES_FILE}, line ${(line < 0 ? ours.length : line) + 1}: recomputed as "${ours[line] ?? ''}"`,
    );
  }
  return { kind: 'verified', days: days.length, root: place.previousRoot, isComplete, scores };
}

function fault(text: string): Verification {
  return { kind: 'fault', fault: text };
}

/** What the first file says about the one before it, which the folder need not have. */
function headOf(text: string): { day: string | null; root: string } {
  const [, before = 'none', previous = 'none'] = text.split('\n').map((line) => line.replace(/^.*: /, ''));
  return {
    day: before === 'none' ? null : before,
    root: /^[\da-f]{64}$/.test(previous) ? previous : FIRST_ROOT,
  };
}

function rootsIn(
  text: string | undefined,
): ReadonlyMap<string, { root: string; line: number }> | 'unreadable' | null {
  if (text === undefined) return null;
  if (!text.startsWith('day,root\n')) return 'unreadable';
  const rows = text.trimEnd().split('\n').slice(1);
  return new Map(
    rows.map((row, nth) => {
      const [day = '', root = ''] = row.split(',');
      return [day, { root, line: nth + 2 }];
    }),
  );
}

/** The line number of the first line after the head. */
function firstLine(text: string): number {
  return text.split('\n').findIndex((line) => line.startsWith('line,')) + 2;
}

function missing(wanted: { drawn: string; after: number; verdict: { package: string } } | undefined): string {
  return wanted === undefined
    ? 'no outcome is due here'
    : `expected the outcome of ${wanted.verdict.package} of ${wanted.drawn} after ${wanted.after} days`;
}
