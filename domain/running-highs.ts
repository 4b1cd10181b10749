import type { Pence } from './money.ts';

/**
 * A compact price history: the prices that are the highest since some moment, in falling order. The last is
 * the current price. Moments are increasing whole numbers.
 */
export type RunningHighs = readonly RunningHigh[];

export interface RunningHigh {
  price: Pence;
  /** When this price began; 0 if that was before the history. */
  at: number;
  until: number | null;
}

/** Above this number, the step that differs least from the previous one is removed. */
const MAX_HIGHS = 100;

/**
 * The steps after a price change. Empty at a new highest price, because earlier ones no longer matter. Steps that do
 * not end at `was` lack a change, such as the return of a package that was off sale for weeks, and do not count.
 */
export function highsAfter(
  steps: RunningHighs,
  change: { was: Pence; price: Pence; at: number },
): RunningHighs {
  const { was, price, at } = change;
  const before = steps.at(-1)?.price === was ? steps : [{ price: was, at: 0, until: null }];
  const closed = before.map((step) => (step.until === null ? { ...step, until: at } : step));
  const higher = closed.filter((step) => step.price > price);
  if (higher.length === 0) return [];
  return thinned([...higher, { price, at, until: null }]);
}

/** The highest price at or after a moment. Steps that do not end at `price`, the current one, do not count. */
export function highestSince(steps: RunningHighs, since: number, price: Pence): Pence {
  if (steps.at(-1)?.price !== price) return price;
  const inForce = steps.findLast(({ at }) => at <= since);
  if (inForce !== undefined && (inForce.until === null || inForce.until > since)) return inForce.price;
  // A higher price came after that moment.
  return steps.find(({ at }) => at > since)?.price ?? price;
}

function thinned(steps: RunningHigh[]): RunningHigh[] {
  if (steps.length <= MAX_HIGHS) return steps;
  let least = 1;
  for (let index = 1; index < steps.length - 1; index += 1) {
    if (fallTo(steps, index) < fallTo(steps, least)) least = index;
  }
  return steps.toSpliced(least, 1);
}

function fallTo(steps: readonly RunningHigh[], index: number): Pence {
  return (steps[index - 1]?.price ?? 0) - (steps[index]?.price ?? 0);
}
