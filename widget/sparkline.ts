import type { PriceEvidenceResponse } from '../domain/price-analysis-response.ts';
import { svg } from './element.ts';

const WIDTH = 120;
const HEIGHT = 36;
const PAD = 4;

/** The history as a step line with its lowest and latest prices marked. */
export function sparkline({ history, lowest, latest }: PriceEvidenceResponse): SVGElement {
  const days = history.map(({ day }) => Date.parse(day));
  const prices = history.map(({ price }) => price);
  const [firstDay, lastDay] = [Math.min(...days), Math.max(...days)];
  const [bottom, top] = [Math.min(...prices), Math.max(...prices)];
  const x = (day: string) => place(Date.parse(day), firstDay, lastDay, WIDTH - PAD, PAD, WIDTH - PAD);
  const y = (price: number) => place(price, bottom, top, HEIGHT / 2, HEIGHT - PAD, PAD);
  const steps = history.map(({ day, price }, index) =>
    index === 0 ? `M${x(day)} ${y(price)}` : `H${x(day)}V${y(price)}`,
  );
  return svg(
    'svg',
    {
      class: 'sparkline',
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: 'xMinYMid',
      'aria-hidden': 'true',
    },
    svg('path', { class: 'line', d: steps.join('') }),
    svg('circle', { class: 'lowest', cx: x(lowest.day), cy: y(lowest.price), r: 3 }),
    svg('circle', { class: 'latest', cx: x(latest.day), cy: y(latest.price), r: 3 }),
  );
}

/** Scales a value to a position from `start` to `end`, or `alone` if all values are equal. */
function place(value: number, min: number, max: number, alone: number, start: number, end: number): number {
  if (max === min) return alone;
  return Math.round((start + ((value - min) / (max - min)) * (end - start)) * 10) / 10;
}
