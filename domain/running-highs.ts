import type { Pence } from './money.ts';

/**
 * A compact price history: each price that is the highest since some moment, in falling order, ending with
 * the current price. Moments are increasing whole numbers.
 */
export type RunningHighs = readonly RunningHigh[];

export interface RunningHigh {
  price: Pence;
  /** When it took effect; 0 if the history begins later. */
  at: number;
  until: number | null;
}

/** Above this, the step closest to its predecessor is removed. */
const MAX_HIGHS = 100;

/** The steps after a change. A new highest price leaves one step: earlier ones no longer matter. */
export function highsAfter(
  steps: RunningHighs,
  change: { was: Pence; price: Pence; at: number },
): RunningHighs {
  const { was, price, at } = change;
  const before = steps.length > 0 ? steps : [{ price: was, at: 0, until: null }];
  const closed = before.map((step) => (step.until === null ? { ...step, until: at } : step));
  const higher = closed.filter((step) => step.price > price);
  if (higher.length === 0) return [];
  return thinned([...higher, { price, at, until: null }]);
}

/** The highest price since a moment, inclusive. `price` is the current price. */
export function highestSince(steps: RunningHighs, since: number, price: Pence): Pence {
  const inForce = steps.findLast(({ at }) => at <= since);
  if (inForce !== undefined && (inForce.until === null || inForce.until > since)) return inForce.price;
  // A higher price followed it.
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
