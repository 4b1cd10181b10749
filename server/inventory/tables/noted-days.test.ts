import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { monthOfDay } from '../../../domain/month.ts';
import { blockDayValues } from './block-day-source.ts';
import { notedDays } from './noted-days.ts';

type Key = Parameters<ReturnType<typeof notedDays>['add']>[0] extends Iterable<infer K> ? K : never;

const DAY = 20_800;

const keyOf = (day: number, resort: number): Key => [DAY + day, 7, 1, 2, 3, resort, 4, 5, 6, 7, 8];

describe('the noted days of price blocks', () => {
  it('are returned once each, in blocks in their order, however often and in whatever order they were noted', () => {
    const small = fc.constantFrom(1, 2, 2 ** 31 - 1);
    const key = fc
      .tuple(fc.integer({ min: 0, max: 70 }), fc.tuple(small, small, small, small, small, small))
      .map(([day, place]): Key => [DAY + day, ...place, 5, 6, 7, 8]);
    fc.assert(
      fc.property(fc.array(key, { maxLength: 200 }), fc.integer({ min: 1, max: 9 }), (keys, most) => {
        const noted = notedDays(20);
        noted.add(keys);
        noted.isFull();
        const taken = [...noted.take(most)];
        for (const some of taken) expect(some.length).toBeLessThanOrEqual(most);
        const blocks = taken.flat();
        const days = blocks.flatMap(({ block, days: ofBlock }) =>
          ofBlock.map((day) => blockDayValues({ block, day }).join()),
        );
        expect(days.toSorted()).toEqual([...new Set(keys.map((one) => one.slice(0, 7).join()))].toSorted());
        for (const { block, days: ofBlock } of blocks) {
          expect(new Set(ofBlock.map(monthOfDay))).toEqual(new Set([block[2]]));
        }
        const names = blocks.map(({ block }) => block);
        expect(names).toEqual(names.toSorted(compare));
        expect(new Set(names.map(String)).size).toBe(names.length);
        expect([...noted.take(most)]).toEqual([]);
      }),
    );
  });

  it('are full when there are many, but not when a few were noted many times', () => {
    const noted = notedDays(1_000);
    for (let time = 0; time < 100; time += 1) {
      noted.add(Array.from({ length: 100 }, (_, resort) => keyOf(0, resort)));
      expect(noted.isFull()).toBe(false);
    }
    noted.add(Array.from({ length: 1_000 }, (_, resort) => keyOf(1, resort)));
    expect(noted.isFull()).toBe(true);
    expect([...noted.take(100)].flat()).toHaveLength(1_000);
    expect(noted.isFull()).toBe(false);
  });
});

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, column) => value !== other[column]);
  return (one[at] ?? 0) - (other[at] ?? 0);
}
