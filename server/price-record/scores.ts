import { ruleLevel } from '../../domain/book-or-wait.ts';
import { addDays } from '../../domain/calendar-date.ts';
import { AFTER_DAYS, packageParts } from './record-file.ts';
import { type SettledVerdict, savedBy } from './record-walk.ts';

/** For how many days verdicts count. */
export const SCORED_DAYS = 365;

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
type Measure = (settled: SettledVerdict) => number | null;

const isSeen = ({ outcome }: SettledVerdict) => outcome.outcome === 'seen' && outcome.later !== null;
const change = ({ verdict, outcome }: SettledVerdict) => (outcome.later ?? 0) - verdict.price;
const outcomeIs =
  (wanted: string): Measure =>
  ({ outcome }) =>
    Number(outcome.outcome === wanted);

/** A call wins if the price then moves in its direction. */
function callIs(level: 'low' | 'high', isRule: boolean): Measure {
  const sign = level === 'low' ? -1 : 1;
  return (one) => {
    const { price, charges, median, verdict } = one.verdict;
    const ruled = median === null ? 0 : ruleLevel({ price: price + charges, median });
    const isCalled = isRule ? ruled === sign : verdict === level;
    return isCalled && isSeen(one) ? Number(change(one) * -sign > 0) : null;
  };
}

const MEASURES: Readonly<Record<string, Measure>> = {
  seen: outcomeIs('seen'),
  'sold-out': outcomeIs('sold-out'),
  'not-seen': outcomeIs('not-seen'),
  departed: outcomeIs('departed'),
  coverage(one) {
    const { low, high, charges } = one.verdict;
    if (low === null || high === null || !isSeen(one)) return null;
    const total = (one.outcome.later ?? 0) + charges;
    return Number(low <= total && total <= high);
  },
  low: callIs('low', false),
  'low-rule': callIs('low', true),
  high: callIs('high', false),
  'high-rule': callIs('high', true),
  brier({ verdict, outcome }) {
    const saved = savedBy(verdict, outcome);
    return saved === null || verdict.fall === null ? null : (verdict.fall - Number(saved > 0)) ** 2;
  },
  followed: ({ verdict, outcome }) => (verdict.advice === 'wait' ? savedBy(verdict, outcome) : null),
};

/** Scores that are the difference of two others. */
const MARGINS = [
  ['low-margin', 'low', 'low-rule'],
  ['high-margin', 'high', 'high-rule'],
] as const;

const NAMES = AFTER_DAYS.flatMap((after) => Object.keys(MEASURES).map((name) => `${name}-${after}`));

/** Adds up settled verdicts one after the other, and scores those drawn in the last year before `day`. */
export function scorer(day: string): { add(settled: SettledVerdict): void; scores(): Score[] } {
  const first = addDays(day, -SCORED_DAYS);
  /** Sums and numbers of lines, in pairs as in `NAMES`. */
  const hotels = new Map<string, Float64Array>();

  return {
    add(settled) {
      if (settled.drawn < first) return;
      const { hotel } = packageParts(settled.verdict.package);
      const sums = hotels.get(hotel) ?? new Float64Array(2 * NAMES.length);
      hotels.set(hotel, sums);
      for (const [name, measure] of Object.entries(MEASURES)) {
        const at = 2 * NAMES.indexOf(`${name}-${settled.outcome.after}`);
        const added = at < 0 ? null : measure(settled);
        if (added === null) continue;
        sums[at] = (sums[at] ?? 0) + added;
        sums[at + 1] = (sums[at + 1] ?? 0) + 1;
      }
    },
    scores() {
      const clusters = [...hotels]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([, sums]) => sums);
      const all = totalOf(clusters);
      const random = randomNumbers();
      const resamples = Array.from({ length: clusters.length === 0 ? 0 : RESAMPLES }, () =>
        totalOf(clusters.map(() => clusters[Math.floor(random() * clusters.length)] ?? all)),
      );
      const score = (
        name: string,
        lines: number,
        sum: number,
        valueIn: (sums: Float64Array) => number,
      ): Score => {
        const values = resamples
          .map(valueIn)
          .filter(Number.isFinite)
          .toSorted((one, other) => one - other);
        const at = (share: number) => rounded(values[Math.floor(share * (values.length - 1))] ?? Number.NaN);
        return {
          name,
          lines,
          sum: rounded(sum) ?? 0,
          value: rounded(valueIn(all)),
          low: at(0.025),
          high: at(0.975),
        };
      };
      const mean = (name: string) => (sums: Float64Array) => {
        const at = 2 * NAMES.indexOf(name);
        return (sums[at] ?? 0) / (sums[at + 1] ?? 0);
      };
      const plain = NAMES.map((name, nth) =>
        score(name, all[2 * nth + 1] ?? 0, all[2 * nth] ?? 0, mean(name)),
      );
      const margins = AFTER_DAYS.flatMap((after) =>
        MARGINS.map(([name, ours, rule]) =>
          score(
            `${name}-${after}`,
            0,
            0,
            (sums) => mean(`${ours}-${after}`)(sums) - mean(`${rule}-${after}`)(sums),
          ),
        ),
      );
      return [...plain, ...margins];
    },
  };
}

function totalOf(clusters: readonly Float64Array[]): Float64Array {
  const total = new Float64Array(2 * NAMES.length);
  for (const sums of clusters)
    for (let at = 0; at < total.length; at += 1) total[at] = (total[at] ?? 0) + (sums[at] ?? 0);
  return total;
}

function rounded(value: number): number | null {
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

const HEADER = 'score,lines,sum,value,low,high';

export function formatScores(scores: readonly Score[]): string {
  const lines = scores.map(({ name, lines, sum, value, low, high }) =>
    [name, lines, sum, value ?? '', low ?? '', high ?? ''].join(','),
  );
  return `${[HEADER, ...lines].join('\n')}\n`;
}

export function readScores(text: string): Score[] {
  const number = (value = '') => (value === '' ? null : Number(value));
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [name = '', lines, sum, value, low, high] = line.split(',');
      return {
        name,
        lines: Number(lines),
        sum: Number(sum),
        value: number(value),
        low: number(low),
        high: number(high),
      };
    });
}
