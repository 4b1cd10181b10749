import type { Pence } from './money.ts';

/**
 * What is kept of a price's past: the prices that were the highest since some moment, falling from the first to
 * the last, which is the price now. Moments are whole numbers that only grow; nothing else is asked of them.
 */
export type PriceSteps = readonly PriceStep[];

export interface PriceStep {
  price: Pence;
  /** When it came into force; 0 for a price that was there before anything is known. */
  at: number;
  /** When it was replaced; null for the price now. */
  until: number | null;
}

/** More steps than this are thinned out, where two differ least. */
const MAX_STEPS = 100;

/** The steps after a change. None are kept of a price that is its own highest: nothing before it matters. */
export function stepsAfter(steps: PriceSteps, change: { was: Pence; price: Pence; at: number }): PriceSteps {
  const { was, price, at } = change;
  const before = steps.length > 0 ? steps : [{ price: was, at: 0, until: null }];
  const closed = before.map((step) => (step.until === null ? { ...step, until: at } : step));
  const higher = closed.filter((step) => step.price > price);
  if (higher.length === 0) return [];
  return thinned([...higher, { price, at, until: null }]);
}

/** The highest price since a moment, the price in force at that moment included; `price` is the price now. */
export function highestSince(steps: PriceSteps, since: number, price: Pence): Pence {
  const held = steps.findLast(({ at }) => at <= since);
  if (held !== undefined && (held.until === null || held.until > since)) return held.price;
  // What was in force then has been outdone since.
  return steps.find(({ at }) => at > since)?.price ?? price;
}

function thinned(steps: PriceStep[]): PriceStep[] {
  if (steps.length <= MAX_STEPS) return steps;
  let least = 1;
  for (let index = 1; index < steps.length - 1; index += 1) {
    if (fallTo(steps, index) < fallTo(steps, least)) least = index;
  }
  return steps.toSpliced(least, 1);
}

function fallTo(steps: readonly PriceStep[], index: number): Pence {
  return (steps[index - 1]?.price ?? 0) - (steps[index]?.price ?? 0);
}
