import { addDays } from '../../domain/calendar-date.ts';
import {
  FIRST_ROOT,
  lineText,
  openVerdicts,
  parseFile,
  RecordFault,
  type RecordLine,
  rootOf,
} from './record-file.ts';
import { formatScores, type Score, scorer } from './scores.ts';

export const ROOTS_FILE = 'roots.csv';
export const SCORES_FILE = 'scores.csv';

/** Outcomes count for this many days. */
export const SCORED_DAYS = 365;

/** `fault`: the first file and line that differ. `scores`: recomputed, or null if the folder begins too late. */
export type Verification =
  | { kind: 'fault'; fault: string }
  | { kind: 'verified'; days: number; root: string; scores: Score[] | null };

export function formatRoots(roots: readonly { day: string; root: string }[]): string {
  return `${['day,root', ...roots.map(({ day, root }) => `${day},${root}`)].join('\n')}\n`;
}

/**
 * Recomputes roots and scores from the texts of downloaded files by name, and compares them with each other, with
 * `roots.csv` and with `scores.csv`. From the first day on, no file may be missing.
 */
export function verifyRecord(files: ReadonlyMap<string, string>): Verification {
  const days = [...files.keys()]
    .flatMap((name) => /^(\d{4}-\d\d-\d\d)\.csv$/.exec(name)?.[1] ?? [])
    .toSorted();
  const [firstDay] = days;
  const lastDay = days.at(-1);
  if (firstDay === undefined || lastDay === undefined)
    return faultIn('The folder', 'has no day such as 2026-12-01.csv');
  const first = placeIn(files.get(`${firstDay}.csv`) ?? '');
  const listed = files.get(ROOTS_FILE)?.split('\n');
  const open = openVerdicts();
  const scored = scorer();
  let place = first;
  const roots: { day: string; root: string }[] = [];
  for (const day of days) {
    const name = `${day}.csv`;
    const text = files.get(name) ?? '';
    try {
      const { lines, firstLine } = parseFile(text, { ...place, day });
      requireDue(open.due(day), lines, firstDay, firstLine);
      open.add(day, lines);
      if (day > addDays(lastDay, -SCORED_DAYS)) for (const line of lines) scored.add(line);
    } catch (error) {
      if (error instanceof RecordFault) return faultIn(`${name}, line ${error.line}`, error.message);
      throw error;
    }
    const root = rootOf(place.previousRoot, text);
    if (listed !== undefined && !listed.includes(`${day},${root}`))
      return faultIn(name, `its root is ${root}, which is not in ${ROOTS_FILE}`);
    roots.push({ day, root });
    place = { previousDay: day, previousRoot: root };
  }
  // Earlier rows belong to files that the folder need not have.
  const own = listed?.filter((row, nth) => nth === 0 || row === '' || row >= firstDay).join('\n');
  if (own !== undefined && own !== formatRoots(roots))
    return faultIn(ROOTS_FILE, `expected ${roots.length} days since ${firstDay}`);
  const isComplete = first.previousRoot === FIRST_ROOT || firstDay <= addDays(lastDay, -SCORED_DAYS);
  const scores = isComplete ? scored.scores() : null;
  const [wanted, found] = [scores && formatScores(scores).split('\n'), files.get(SCORES_FILE)?.split('\n')];
  const differs = wanted && found && [...wanted, ''].findIndex((row, nth) => row !== (found[nth] ?? ''));
  if (differs != null && differs >= 0)
    return faultIn(`${SCORES_FILE}, line ${differs + 1}`, `expected "${wanted?.[differs] ?? ''}"`);
  return { kind: 'verified', days: days.length, root: place.previousRoot, scores };
}

function faultIn(where: string, what: string): Verification {
  return { kind: 'fault', fault: `${where}: ${what}` };
}

/** The place that the folder's first file claims. */
function placeIn(text: string): { previousDay: string | null; previousRoot: string } {
  const [, day = 'none', root = FIRST_ROOT] = text.split('\n', 3).map((line) => line.replace(/^.*: /, ''));
  return { previousDay: day === 'none' ? null : day, previousRoot: root };
}

/** Every verdict must be settled in its turn, with the values that it was published with. */
function requireDue(
  due: readonly RecordLine[],
  lines: readonly RecordLine[],
  firstDay: string,
  firstLine: number,
): void {
  const outcomes = lines.filter(({ after }) => after !== null);
  const early = outcomes.filter(({ drawn }) => drawn < firstDay).length;
  for (let nth = 0; nth < Math.max(due.length, outcomes.length - early); nth += 1) {
    const [wanted, found] = [due[nth], outcomes[early + nth]];
    const text = wanted && lineText(wanted).replace(/,*$/, ',');
    if (text === undefined || found === undefined || !lineText(found).startsWith(text))
      throw new RecordFault(
        firstLine + early + nth,
        text === undefined ? 'no outcome is due here' : `expected the outcome of ${text}`,
      );
  }
}
