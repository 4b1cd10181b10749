import { svg } from './element.ts';

const WIDTH = 300;
const HEIGHT = 14;

/** The space on either side of the typical range, as a fraction of the range. */
const MARGIN = 0.75;

/** The mark's radius. Extreme prices keep this distance from the edge, so that the mark stays visible. */
const EDGE = 5;

/** A bar with low, typical and high parts and a mark at the price. Decorative: the text says the same. */
export function priceBar(price: number, typicalLow: number, typicalHigh: number): SVGElement {
  const range = Math.max(typicalHigh - typicalLow, typicalHigh * 0.05, 1);
  const first = typicalLow - range * MARGIN;
  const scale = WIDTH / (range * (1 + 2 * MARGIN));
  const at = (amount: number) => Math.round(Math.min(WIDTH, Math.max(0, (amount - first) * scale)));
  const low = at(typicalLow);
  const high = at(typicalLow + range);
  const mark = Math.min(WIDTH - EDGE, Math.max(EDGE, at(price)));
  return svg(
    'svg',
    { class: 'bar', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'aria-hidden': 'true' },
    part('low', 0, low - 2),
    part('typical', low, high - low),
    part('high', high + 2, WIDTH - high - 2),
    svg('circle', { class: 'mark', cx: mark, cy: HEIGHT / 2, r: EDGE }),
  );
}

function part(name: string, x: number, width: number): SVGElement {
  return svg('rect', { class: name, x, y: HEIGHT / 2 - 3, width: Math.max(0, width), height: 6, rx: 3 });
}
