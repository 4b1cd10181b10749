import { describe, expect, it } from 'vitest';
import { bottomKSample } from './bottom-k-sample.ts';

/** A key of two columns, and a value. */
type Row = readonly [day: number, hotel: number, price: number];

const rows: Row[] = Array.from({ length: 10_000 }, (_, nth) => [
  20_000 + Math.floor(nth / 100),
  nth % 100,
  nth,
]);

function sampleOf(some: Iterable<Row>, size: number): Row[] {
  const sample = bottomKSample<Row>(size, 2);
  for (const row of some) sample.add(row);
  return sample.sample();
}

/** Rows in the order in which shards return them: shard by shard, each in its own order. */
const byShard = rows.toSorted((one, other) => (one[1] % 7) - (other[1] % 7) || other[0] - one[0]);

describe('A bottom-k sample', () => {
  it.each([1, 100, 3_000, 9_999, 10_000, 20_000])(
    'of %i rows is the same for any order of the rows',
    (size) => {
      const sample = sampleOf(rows, size);
      expect(sample).toHaveLength(Math.min(size, rows.length));
      expect(new Set(sample.map(([, , price]) => price)).size).toBe(sample.length);
      expect(sampleOf(byShard, size)).toEqual(sample);
      expect(sampleOf(rows.toReversed(), size)).toEqual(sample);
    },
  );

  it('does not depend on the values of the rows', () => {
    const raised = rows.map(([day, hotel, price]): Row => [day, hotel, price + 1]);
    expect(sampleOf(raised, 100).map(([day, hotel]) => [day, hotel])).toEqual(
      sampleOf(rows, 100).map(([day, hotel]) => [day, hotel]),
    );
  });

  it('is spread evenly over the keys, and shuffled', () => {
    const sample = sampleOf(rows, 2_000);
    for (const part of [sample, sample.slice(0, 1_000)]) {
      const early = part.filter(([day]) => day < 20_050).length;
      const low = part.filter(([, hotel]) => hotel < 50).length;
      // Allows four standard deviations.
      expect(Math.abs(early / part.length - 0.5)).toBeLessThan(2 / Math.sqrt(part.length));
      expect(Math.abs(low / part.length - 0.5)).toBeLessThan(2 / Math.sqrt(part.length));
    }
  });

  it('begins with the rows of a smaller sample', () => {
    expect(sampleOf(rows, 2_000).slice(0, 500)).toEqual(sampleOf(rows, 500));
  });
});
