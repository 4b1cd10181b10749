import { formatWholePounds, type Pence } from './money.ts';

/** With fewer settled prices of a kind, nothing is said. */
export const MIN_SETTLED = 300;

/** Waiting has paid only if it saves more than this, and more than this share of the price. */
const MIN_SAVED: Pence = 1_000;
const MIN_SHARE = 0.01;

/** Limits of 'unusually cheap' and 'unusually dear', and of the classes of lead and of days without a change. */
const RULE_PERCENT = 10;
const LEADS = [30, 90];
const STANDING = [7, 28];

/** 'wait': waiting a week has paid. */
export type Advice = 'book' | 'wait';

/** What was known when a price was seen. `median`: of the package's own prices. Days are whole. */
export interface PriceSituation {
  price: Pence;
  median: Pence;
  daysToDeparture: number;
  daysUnchanged: number;
}

/** The one-line rule: 10% off one's own median is Low, 10% above it is High. */
export function ruleLevel({ price, median }: Pick<PriceSituation, 'price' | 'median'>): -1 | 0 | 1 {
  if (price * 100 <= median * (100 - RULE_PERCENT)) return -1;
  return price * 100 >= median * (100 + RULE_PERCENT) ? 1 : 0;
}

/** Prices of one kind are pooled: own price against own median, lead, and days since the last change. */
export function kindOf(situation: PriceSituation): string {
  const classIn = (limits: readonly number[], days: number) => limits.filter((limit) => days >= limit).length;
  const lead = classIn(LEADS, situation.daysToDeparture);
  return `${ruleLevel(situation) + 1}${lead}${classIn(STANDING, situation.daysUnchanged)}`;
}

/** What happened to a price within a week. `saved`: what waiting saved; below 0 if it cost. */
export interface WaitOutcome {
  kind: string;
  hotel: string;
  price: Pence;
  saved: Pence;
}

/** How waiting a week has turned out for one kind. Money is the mean per price, with a 95% interval. */
export interface WaitRecord {
  prices: number;
  /** How many prices were lower a week later. */
  fell: number;
  saved: Pence;
  low: Pence;
  high: Pence;
  /** The most that waiting cost. */
  worst: Pence;
  meanPrice: Pence;
}

/** Learns from outcomes, one after the other. Prices of one hotel move together, so intervals are clustered by hotel. */
export function waitLearner(): { add(outcome: WaitOutcome): void; records(): Record<string, WaitRecord> } {
  const kinds = new Map<
    string,
    { hotels: Map<string, number[]>; fell: number; worst: Pence; prices: Pence }
  >();

  return {
    add({ kind, hotel, price, saved }) {
      const sums = kinds.get(kind) ?? { hotels: new Map(), fell: 0, worst: 0, prices: 0 };
      kinds.set(kind, sums);
      const [total = 0, count = 0] = sums.hotels.get(hotel) ?? [];
      sums.hotels.set(hotel, [total + saved, count + 1]);
      sums.fell += saved > 0 ? 1 : 0;
      sums.worst = Math.max(sums.worst, -saved);
      sums.prices += price;
    },
    records: () =>
      Object.fromEntries(
        [...kinds].map(([kind, { hotels, fell, worst, prices: sum }]) => {
          const clusters = [...hotels.values()];
          const prices = clusters.reduce((all, [, count = 0]) => all + count, 0);
          const saved = clusters.reduce((all, [total = 0]) => all + total, 0) / prices;
          const squares = clusters.reduce((all, [total = 0, n = 0]) => all + (total - saved * n) ** 2, 0);
          const few = clusters.length / Math.max(1, clusters.length - 1);
          // One hotel alone says nothing about others.
          const error =
            clusters.length === 1 ? Number.MAX_SAFE_INTEGER : 1.96 * (Math.sqrt(squares * few) / prices);
          const interval = { low: saved - error, high: saved + error };
          return [kind, { prices, fell, saved, ...interval, worst, meanPrice: sum / prices }];
        }),
      ),
  };
}

/** The advice for a kind of price; null if its record is short or points neither way. */
export function adviceFor(record: WaitRecord | undefined): Advice | null {
  if (record === undefined || record.prices < MIN_SETTLED) return null;
  if (record.high < 0) return 'book';
  return record.low > MIN_SAVED && record.low > record.meanPrice * MIN_SHARE ? 'wait' : null;
}

/** The probability that a price of this kind is lower in a week; null if the record is short. */
export function chanceOfFall(record: WaitRecord | undefined): number | null {
  return record === undefined || record.prices < MIN_SETTLED ? null : record.fell / record.prices;
}

/** The advice in a sentence: how often waiting has paid, how much, and the worst. */
export function adviceSentence(record: WaitRecord | undefined): string | null {
  const advice = adviceFor(record);
  if (advice === null || record === undefined) return null;
  const prices = record.prices.toLocaleString('en-GB');
  if (advice === 'book')
    return `Book: waiting a week cost ${formatWholePounds(Math.round(-record.saved))} on average, for ${prices} prices like this`;
  const often = Math.round((100 * record.fell) / record.prices);
  return `Waiting a week has paid: ${often}% of ${prices} prices like this fell, for ${formatWholePounds(Math.round(record.saved))} saved on average. At worst, waiting cost ${formatWholePounds(record.worst)}`;
}
