import type { Pence } from '../../../domain/money.ts';

/** The scale of a plot from zero: its upper end, and the distance of its lines. */
export interface PlotScale {
  top: Pence;
  step: Pence;
}

const MOST_LINES = 4;
const ROUND = [1, 2, 2.5, 5];

/** The finest scale of round steps with at most four lines, from £10 on. */
export function plotScale(prices: Iterable<Pence>): PlotScale {
  const highest = Math.max(1, ...prices);
  for (let size: Pence = 1_000; ; size *= 10) {
    for (const factor of ROUND) {
      const step = size * factor;
      const lines = Math.ceil(highest / step);
      if (lines <= MOST_LINES) return { top: lines * step, step };
    }
  }
}
