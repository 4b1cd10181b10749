import { describe, expect, it } from 'vitest';
import { notedDays } from './noted-days.ts';

type Key = Parameters<ReturnType<typeof notedDays>['add']>[0] extends Iterable<infer K> ? K : never;

const DAY = 20_800;

const keyOf = (day: number, resort: number): Key => [DAY + day, 7, 1, 2, 3, resort, 4, 5, 6, 7, 8];

describe('The noted days of price blocks', () => {
  it('are full when there are many, but not if a few were noted many times', () => {
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
