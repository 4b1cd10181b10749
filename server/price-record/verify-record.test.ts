import { expect, it } from 'vitest';
import { addDays } from '../../domain/calendar-date.ts';
import {
  type ChainPlace,
  FIRST_ROOT,
  formatFile,
  openVerdicts,
  RecordFault,
  type RecordLine,
  rootOf,
} from './record-file.ts';
import { formatScores, scorer } from './scores.ts';
import { formatRoots, verifyRecord } from './verify-record.ts';

const DAYS = Array.from({ length: 18 }, (_, nth) => addDays('2026-12-01', nth));

function verdict(day: string, nth: number): RecordLine {
  const price = 80_000 + 1_000 * nth;
  return {
    drawn: day,
    package: `SUN:H-${nth}:LGW:2027-06-0${nth + 1}:7:HB:DBL:2-0-0`,
    price,
    charges: nth === 0 ? 0 : 1_400,
    verdict: (['low', 'typical', 'high', null] as const)[nth % 4] ?? null,
    low: nth === 3 ? null : 79_000,
    high: nth === 3 ? null : 90_000,
    expected: 84_000,
    fall: nth === 2 ? 0.375 : null,
    advice: nth === 1 ? 'wait' : null,
    model: 3,
    median: 95_000,
    unchanged: nth,
    after: null,
    outcome: null,
    later: null,
    lowest: null,
  };
}

function outcome(due: RecordLine): RecordLine {
  if (due.package.includes('H-4')) return { ...due, outcome: 'sold-out' };
  return { ...due, outcome: 'seen', later: due.price + 500, lowest: due.price - 100 };
}

/** A chain of days with five verdicts each. `change` may alter a file before the next one is added. */
function chain(days = DAYS, change = (_day: string, lines: RecordLine[]) => lines): Map<string, string> {
  const open = openVerdicts();
  const scored = scorer();
  const files = new Map<string, string>();
  const roots: { day: string; root: string }[] = [];
  let place: Omit<ChainPlace, 'day'> = { previousDay: null, previousRoot: FIRST_ROOT };
  for (const day of days) {
    const verdicts = [0, 1, 2, 3, 4].map((nth) => verdict(day, nth));
    const lines = change(day, [...open.due(day).map(outcome), ...verdicts]);
    for (const line of lines) scored.add(line);
    open.add(day, lines);
    const text = formatFile({ ...place, day }, lines);
    const root = rootOf(place.previousRoot, text);
    files.set(`${day}.csv`, text);
    roots.push({ day, root });
    place = { previousDay: day, previousRoot: root };
  }
  files.set('roots.csv', formatRoots(roots));
  return files.set('scores.csv', formatScores(scored.scores()));
}

const files = chain();

/** The fault of the files with one of them replaced. */
function faultWith(name: string, lines: readonly string[], others = files): string {
  return faultOf(new Map([...others, [name, lines.join('\n')]]));
}

function faultOf(altered: ReadonlyMap<string, string>): string {
  try {
    verifyRecord(altered);
    return 'none';
  } catch (error) {
    if (error instanceof RecordFault) return error.message;
    throw error;
  }
}

it('recomputes the last root and the scores from files alone', () => {
  const verified = verifyRecord(files);
  expect(verified.days).toBe(DAYS.length);
  expect(files.get('roots.csv')).toContain(`${DAYS.at(-1)},${verified.root}\n`);
  expect(verified.scores && formatScores(verified.scores)).toBe(files.get('scores.csv'));
});

it('settles each verdict once after 7 and once after 14 days, in the file of the day after', () => {
  const lines = (files.get('2026-12-16.csv') ?? '').split('\n').filter((line) => line.startsWith('2026-12-'));
  expect(lines.map((line) => line.slice(0, 10))).toEqual([
    ...Array(5).fill('2026-12-01'),
    ...Array(5).fill('2026-12-08'),
    ...Array(5).fill('2026-12-16'),
  ]);
});

it('detects any altered, removed or repeated line of any file, and names the first', () => {
  let altered = 0;
  for (const [name, text] of files) {
    const lines = text.split('\n');
    // The last element is the end of the last line.
    for (const [nth, line] of lines.slice(0, -1).entries()) {
      const at = Math.floor(line.length / 2);
      const other = line[at] === '7' ? '8' : '7';
      const fault = faultWith(name, lines.with(nth, line.slice(0, at) + other + line.slice(at + 1)));
      const isClaim = name === '2026-12-01.csv' && (nth === 1 || nth === 2);
      if (name === 'roots.csv') expect(fault).toMatch(/roots\.csv/);
      else expect(fault).toContain(isClaim ? name : `${name}, line ${nth + 1}:`);
      expect(faultWith(name, lines.toSpliced(nth, 1))).toContain(name);
      expect(faultWith(name, lines.toSpliced(nth, 0, line))).toContain(name);
      altered += 1;
    }
  }
  expect(altered).toBeGreaterThan(500);
});

it('detects a file that was rewritten with correct checks', () => {
  const name = '2026-12-10.csv';
  const rewritten = (isChanged: (line: RecordLine) => boolean) => {
    const change = (line: RecordLine) => (isChanged(line) ? { ...line, fall: 0.5 } : line);
    const other = chain(DAYS, (day, lines) => (`${day}.csv` === name ? lines.map(change) : lines));
    return (other.get(name) ?? '').split('\n');
  };
  const verdicts = rewritten(({ after }) => after === null);
  expect(faultWith(name, verdicts)).toContain(`${name}: its root`);
  const withoutRoots = new Map([...files].filter(([other]) => !/^(roots|scores)/.test(other)));
  expect(faultWith(name, verdicts, withoutRoots)).toContain(
    '2026-12-11.csv, line 3: expected "# previous root:',
  );
  // An outcome must repeat its verdict as published, so the change shows in the file itself.
  const outcomes = rewritten(({ after }) => after !== null);
  expect(faultWith(name, outcomes)).toContain(`${name}, line 19: expected the outcome of 2026-12-02,SUN:H-0`);
});

it('detects a chain that leaves out the outcome of a lost verdict', () => {
  const dropped = chain(DAYS, (_day, lines) => lines.filter(({ outcome: found }) => found !== 'sold-out'));
  expect(faultOf(dropped)).toMatch(/^2026-12-09\.csv, line 2\d: expected the outcome of .*H-4/);
});

it('checks a folder that begins later, without its scores', () => {
  const later = new Map([...files].filter(([name]) => name >= '2026-12-05'));
  expect(verifyRecord(later)).toMatchObject({ days: DAYS.length - 4, scores: null });
  later.delete('2026-12-09.csv');
  expect(faultOf(later)).toContain('2026-12-10.csv, line 2');
});
