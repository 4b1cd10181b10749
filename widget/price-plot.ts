import type { PriceAnalysisResponse, PriceEvidenceResponse } from '../domain/price-analysis-response.ts';
import { svg } from './element.ts';

const WIDTH = 300;
const HEIGHT = 90;
const PAD = 6;

type Range = PriceAnalysisResponse['expected'];

/**
 * The history as a step line over the band, with its lowest and latest prices marked. Decorative: the text
 * says the same.
 */
export function pricePlot({ history }: PriceEvidenceResponse, band: Range): SVGElement {
  const days = history.map(({ day }) => Date.parse(day));
  const prices = history.map(({ price }) => price);
  const amounts = band === null ? prices : [...prices, band.low, band.high];
  const [firstDay, lastDay] = [Math.min(...days), Math.max(...days)];
  const [bottom, top] = [Math.min(...amounts), Math.max(...amounts)];
  const x = (day: string) => place(Date.parse(day), firstDay, lastDay, WIDTH - PAD, PAD, WIDTH - PAD);
  const y = (price: number) => place(price, bottom, top, HEIGHT / 2, HEIGHT - PAD, PAD);
  const steps = history.map(({ day, price }, index) =>
    index === 0 ? `M${x(day)} ${y(price)}` : `H${x(day)}V${y(price)}`,
  );
  const lowest = Math.min(...prices);
  const marks = [history.findLast(({ price }) => price === lowest), history.at(-1)];
  return svg(
    'svg',
    { class: 'plot', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'aria-hidden': 'true' },
    ...(band === null
      ? []
      : [
          svg('rect', {
            class: 'band',
            x: 0,
            y: y(band.high),
            width: WIDTH,
            height: Math.max(1, y(band.low) - y(band.high)),
          }),
        ]),
    svg('path', { class: 'line', d: steps.join('') }),
    ...marks.flatMap((point, index) =>
      point === undefined
        ? []
        : [
            svg('circle', {
              class: index === 0 ? 'lowest' : 'latest',
              cx: x(point.day),
              cy: y(point.price),
              r: 4,
            }),
          ],
    ),
  );
}

/** Scales a value to a position from `start` to `end`, or `alone` if all values are equal. */
function place(value: number, min: number, max: number, alone: number, start: number, end: number): number {
  if (max === min) return alone;
  return Math.round((start + ((value - min) / (max - min)) * (end - start)) * 10) / 10;
}
