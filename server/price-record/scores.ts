import { kindOf, ruleLevel, type WaitOutcome } from '../../domain/book-or-wait.ts';
import { dayNumber } from '../../domain/calendar-date.ts';
import type { Coverage } from './place-coverage.ts';
import { AFTER_DAYS, packageParts, type RecordLine } from './record-file.ts';

const RESAMPLES = 1_000;

/** A score with its 95% interval. `sum` is of wins, squares or pence over `lines`. Null: nothing to score. */
export interface Score {
  name: string;
  lines: number;
  sum: number;
  value: number | null;
  low: number | null;
  high: number | null;
}

/** What a line adds to a score; null if it does not count. */
type Measure = (line: RecordLine) => number | null;

/** What waiting a week saved; null if that is unknown. */
const saved: Measure = ({ price, charges, after, outcome, later }) => {
  if (after !== 7) return null;
  if (outcome === 'seen' && later !== null) return price - later;
  return outcome === 'sold-out' ? -Math.round((price + charges) / 10) : null;
};

/** A call of Low (-1) or High (1) wins if the price then moves the other way. */
function wins(sign: -1 | 1, isCalled: (line: RecordLine) => boolean): Measure {
  return (line) =>
    line.later !== null && isCalled(line) ? Number((line.later - line.price) * sign < 0) : null;
}

const rule = ({ price, charges, median }: RecordLine) =>
  median === null ? 0 : ruleLevel({ price: price + charges, median });

const outcomeIs =
  (wanted: RecordLine['outcome']): Measure =>
  ({ outcome }) =>
    Number(outcome === wanted);

const MEASURES: Readonly<Record<string, Measure>> = {
  seen: outcomeIs('seen'),
  'sold-out': outcomeIs('sold-out'),
  'not-seen': outcomeIs('not-seen'),
  departed: outcomeIs('departed'),
  coverage: ({ low, high, charges, later }) =>
    low === null || high === null || later === null
      ? null
      : Number(low <= later + charges && later + charges <= high),
  low: wins(-1, ({ verdict }) => verdict === 'low'),
  'low-rule': wins(-1, (line) => rule(line) === -1),
  high: wins(1, ({ verdict }) => verdict === 'high'),
  'high-rule': wins(1, (line) => rule(line) === 1),
  brier(line) {
    const gain = saved(line);
    return gain === null || line.fall === null ? null : (line.fall - Number(gain > 0)) ** 2;
  },
  followed: (line) => (line.advice === 'wait' ? saved(line) : null),
};

const NAMES = AFTER_DAYS.flatMap((after) => Object.keys(MEASURES).map((name) => `${name}-${after}`));

/** Sums and numbers of lines, in pairs as in `NAMES`. */
type Sums = Float64Array;

const atName = (name: string) => 2 * NAMES.indexOf(name);
const mean = (name: string) => (sums: Sums) => (sums[atName(name)] ?? 0) / (sums[atName(name) + 1] ?? 0);

/** The wait that a line tells of; null if it tells of none. */
export function waitOutcome(line: RecordLine): WaitOutcome | null {
  const gain = saved(line);
  const { median, unchanged: daysUnchanged } = line;
  if (gain === null || median === null) return null;
  const { hotel, departure } = packageParts(line.package);
  const price = line.price + line.charges;
  const daysToDeparture = departure - dayNumber(line.drawn);
  return { kind: kindOf({ price, median, daysToDeparture, daysUnchanged }), hotel, price, saved: gain };
}

/** Adds up lines one after the other. `coverage`: how often ranges held after a week, by hotel. */
export function scorer() {
  const hotels = new Map<string, Sums>();

  return {
    add(line: RecordLine): void {
      if (line.after === null) return;
      const { hotel } = packageParts(line.package);
      const sums = hotels.get(hotel) ?? new Float64Array(2 * NAMES.length);
      hotels.set(hotel, sums);
      for (const [name, measure] of Object.entries(MEASURES)) {
        const added = measure(line);
        if (added !== null) addTo(sums, [added, 1], atName(`${name}-${line.after}`));
      }
    },
    scores(): Score[] {
      const clusters = [...hotels]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([, sums]) => sums);
      const all = totalOf(clusters);
      const random = randomNumbers();
      const draw = () => clusters[Math.floor(random() * clusters.length)] ?? all;
      const resamples = Array.from({ length: RESAMPLES }, () => totalOf(clusters.map(draw)));
      const score = (name: string, value = mean(name)): Score => {
        const values = Float64Array.from(resamples.map(value).filter(Number.isFinite)).sort();
        const at = (share: number) => rounded(values[Math.floor(share * (values.length - 1))]);
        const [sum, lines] = [all[atName(name)] ?? 0, all[atName(name) + 1] ?? 0];
        return {
          name,
          lines,
          sum: rounded(sum) ?? 0,
          value: rounded(value(all)),
          low: at(0.025),
          high: at(0.975),
        };
      };
      const margins = AFTER_DAYS.flatMap((after) =>
        ['low', 'high'].map((name) => {
          const [ours, rules] = [mean(`${name}-${after}`), mean(`${name}-rule-${after}`)];
          return score(`${name}-margin-${after}`, (sums) => ours(sums) - rules(sums));
        }),
      );
      return [...NAMES.map((name) => score(name)), ...margins];
    },
    coverage(): [hotel: string, Coverage][] {
      const at = atName('coverage-7');
      return [...hotels].map(([hotel, sums]) => [
        hotel,
        { inRange: sums[at] ?? 0, prices: sums[at + 1] ?? 0 },
      ]);
    },
  };
}

function addTo(sums: Sums, added: ArrayLike<number>, from = 0): void {
  for (let at = 0; at < added.length; at += 1) sums[from + at] = (sums[from + at] ?? 0) + (added[at] ?? 0);
}

function totalOf(clusters: readonly Sums[]): Sums {
  const total = new Float64Array(2 * NAMES.length);
  for (const sums of clusters) addTo(total, sums);
  return total;
}

function rounded(value = Number.NaN): number | null {
  return Number.isFinite(value) ? Math.round(value * 10_000) / 10_000 : null;
}

/** Mulberry32 (Tommy Ettinger, public domain) from 1: numbers from 0 to 1, the same ones each time. */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function formatScores(scores: readonly Score[]): string {
  const rows = scores.map((score) => Object.values(score).join(','));
  return `${['name,lines,sum,value,low,high', ...rows].join('\n')}\n`;
}
