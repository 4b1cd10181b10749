import type { Pence } from '../../../domain/money.ts';

/** A scale from zero: its upper end and the distance of its grid lines. */
export interface PlotScale {
  top: Pence;
  step: Pence;
}

const MAX_LINES = 4;
const ROUND_STEPS = [1, 2, 2.5, 5];

/** The smallest round steps of at least £10 that need at most four grid lines. */
export function plotScale(prices: Iterable<Pence>): PlotScale {
  const highest = Math.max(1, ...prices);
  for (let size: Pence = 1_000; ; size *= 10) {
    for (const factor of ROUND_STEPS) {
      const step = size * factor;
      const lines = Math.ceil(highest / step);
      if (lines <= MAX_LINES) return { top: lines * step, step };
    }
  }
}
