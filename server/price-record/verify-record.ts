import { addDays } from '../../domain/calendar-date.ts';
import {
  type FIRST_PLACE,
  FIRST_ROOT,
  lineText,
  openVerdicts,
  parseFile,
  RecordFault,
  type RecordLine,
  rootOf,
  SCORED_DAYS,
} from './record-file.ts';
import { formatScores, scorer } from './scores.ts';

export const ROOTS_FILE = 'roots.csv';
export const SCORES_FILE = 'scores.csv';

export function formatRoots(roots: readonly { day: string; root: string }[]): string {
  return `${['day,root', ...roots.map(({ day, root }) => `${day},${root}`)].join('\n')}\n`;
}

/**
 * Recomputes roots and scores from the texts of downloaded files by name, and compares them with each other, with
 * `roots.csv` and with `scores.csv`. From the first day on, no file may be missing. Throws `RecordFault` at the first
 * file and line that differ. `scores` are null if the folder begins too late.
 */
export function verifyRecord(files: ReadonlyMap<string, string>) {
  const names = [...files.keys()].filter((name) => /^\d{4}-\d\d-\d\d\.csv$/.test(name)).toSorted();
  const [firstDay = '', lastDay = ''] = [names[0], names.at(-1)].map((name) => name?.slice(0, 10));
  if (firstDay === '') throw new RecordFault('The folder: has no day such as 2026-12-01.csv');
  const first = placeIn(files.get(`${firstDay}.csv`) ?? '');
  const listed = files.get(ROOTS_FILE)?.split('\n');
  const [open, scored] = [openVerdicts(), scorer()];
  let place = first;
  const roots: { day: string; root: string }[] = [];
  for (const name of names) {
    const [day, text] = [name.slice(0, 10), files.get(name) ?? ''];
    const { lines, firstLine } = parseFile(text, { ...place, day });
    const outcomes = lines.filter(({ after }) => after !== null);
    // Outcomes of verdicts before the first file come first.
    const early = outcomes.filter(({ drawn }) => drawn < firstDay).length;
    requireDue(`${name}, line `, firstLine + early, open.due(day), outcomes.slice(early));
    open.add(day, lines);
    if (day > addDays(lastDay, -SCORED_DAYS)) for (const line of lines) scored.add(line);
    const root = rootOf(place.previousRoot, text);
    if (listed?.includes(`${day},${root}`) === false)
      throw new RecordFault(`${name}: its root is ${root}, which is not in ${ROOTS_FILE}`);
    roots.push({ day, root });
    place = { previousDay: day, previousRoot: root };
  }
  // Earlier rows belong to files that the folder need not have.
  const own = listed?.filter((row, nth) => nth === 0 || row === '' || row >= firstDay).join('\n');
  if (own !== undefined && own !== formatRoots(roots))
    throw new RecordFault(`${ROOTS_FILE}: expected ${roots.length} days since ${firstDay}`);
  const isComplete = first.previousRoot === FIRST_ROOT || firstDay <= addDays(lastDay, -SCORED_DAYS);
  const scores = isComplete ? scored.scores() : null;
  const [wanted, found] = [scores && formatScores(scores).split('\n'), files.get(SCORES_FILE)?.split('\n')];
  const differs = wanted && found ? [...wanted, ''].findIndex((row, nth) => row !== (found[nth] ?? '')) : -1;
  if (differs >= 0)
    throw new RecordFault(`${SCORES_FILE}, line ${differs + 1}: expected "${wanted?.[differs] ?? ''}"`);
  return { days: names.length, root: place.previousRoot, scores };
}

/** The place that the folder's first file claims. */
function placeIn(text: string): typeof FIRST_PLACE {
  const [, day = 'none', root = FIRST_ROOT] = text.split('\n', 3).map((line) => line.replace(/^.*: /, ''));
  return { previousDay: day === 'none' ? null : day, previousRoot: root };
}

/** Every verdict must be settled in its turn, with the values that it was published with. */
function requireDue(
  file: string,
  line: number,
  due: readonly RecordLine[],
  found: readonly RecordLine[],
): void {
  const wanted = due.map((one) => lineText(one).replace(/,*$/, ','));
  const differs = wanted.findIndex((text, nth) => !(found[nth] && lineText(found[nth]).startsWith(text)));
  if (differs >= 0)
    throw new RecordFault(`${file}${line + differs}: expected the outcome of ${wanted[differs]}`);
  if (found.length > due.length) throw new RecordFault(`${file}${line + due.length}: no outcome is due here`);
}
