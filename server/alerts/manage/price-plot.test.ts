import { describe, expect, it } from 'vitest';
import { dayNumber } from '../../../domain/calendar-date.ts';
import { pricePlot as plot } from './price-plot.ts';

const FIRST = dayNumber('2026-11-01');
const daily = (prices: readonly (number | null)[]) =>
  prices.flatMap((pounds, index) => (pounds === null ? [] : [{ day: FIRST + index, price: pounds * 100 }]));
const pricePlot = (...given: Parameters<typeof plot>) => plot(...given)?.text ?? '';
const linesOf = (html: string) => html.match(/<polyline/g)?.length ?? 0;

describe('The price history of a watch', () => {
  it('states the range and the lowest price in words, and lists each change, the newest first', () => {
    const html = pricePlot(daily([500, 500, 450, 450, 480]), null);
    expect(html).toContain('Lowest since 1st November 2026: <strong>£450</strong> on 4th November 2026.');
    expect(html).toContain(
      'aria-label="Prices from 1st November 2026 to 5th November 2026, between £450 and £500."',
    );
    expect([...html.matchAll(/<td>(£\d+)<\/td>/g)].map(([, price]) => price)).toEqual([
      '£480',
      '£450',
      '£500',
    ]);
  });

  it('draws no line across days without a price', () => {
    expect(linesOf(pricePlot(daily([500, 490, 480]), null))).toBe(1);
    expect(linesOf(pricePlot(daily([500, null, null, 490, 480]), null))).toBe(2);
  });

  it('keeps every point inside the drawing, even if the limit is far below the prices', () => {
    const html = pricePlot(daily([500, 490, 480, 520]), 20_000);
    expect(html).toContain('The dashed line is your limit, £200.');
    const points = [...html.matchAll(/points="([^"]+)"/g)].flatMap(([, text = '']) => text.split(' '));
    for (const point of points) {
      const [x = -1, y = -1] = point.split(',').map(Number);
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(1_000);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(240);
    }
  });

  it('draws nothing if the price has not changed, or is known for at most one day', () => {
    expect(pricePlot(daily([500, 500, 500]), null)).toBe(
      '<p class="price-words">The price has been £500 since 1st November 2026.</p>',
    );
    expect(pricePlot(daily([500]), null)).toBe(
      '<p class="price-words">Our price history starts on 1st November 2026.</p>',
    );
    expect(pricePlot([], null)).toBe('');
  });
});
