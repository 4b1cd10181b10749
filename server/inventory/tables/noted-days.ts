import { monthOfDay } from '../../../domain/month.ts';
import type { BlockKey } from '../block-key.ts';
import { OFFER, type OfferKey } from '../offer-columns.ts';
import type { BlockDays } from './block-day-source.ts';

type AnyKey = readonly [...key: OfferKey, ...values: unknown[]];

/** The numbers per day: a block's key, then the day. */
const WIDTH = 8;
const DAY = WIDTH - 1;

/**
 * The days of price blocks whose offers have changed, in 32 bytes each, because a feed may have a block per row. Full once
 * `max` days have been added and at least half of them are different.
 */
export function notedDays(max: number) {
  let days = new Int32Array(0);
  let count = 0;
  let last: AnyKey | null = null;

  /** The positions of the days, sorted by block and day, without duplicates. */
  function sorted(): Uint32Array {
    const positions = Uint32Array.from({ length: count }, (_, nth) => nth * WIDTH);
    positions.sort((one, other) => compare(days, one, other, WIDTH));
    return positions.filter(
      (at, nth) => nth === 0 || compare(days, positions[nth - 1] ?? 0, at, WIDTH) !== 0,
    );
  }

  /** Removes duplicates. */
  function squeeze(): void {
    const distinct = sorted().sort();
    for (const [nth, at] of distinct.entries()) days.copyWithin(nth * WIDTH, at, at + WIDTH);
    count = distinct.length;
  }

  function makeRoom(): void {
    if ((count + 1) * WIDTH <= days.length) return;
    const larger = new Int32Array(Math.max(1_024 * WIDTH, days.length * 2));
    larger.set(days);
    days = larger;
  }

  return {
    /** Adds the days of offers. Duplicates take memory until `isFull` is called. */
    add(keys: Iterable<AnyKey>): void {
      for (const key of keys) {
        if (last !== null && isSameBlockDay(last, key)) continue;
        last = key;
        const [day, nights, party, country, region, resort, airport] = key;
        makeRoom();
        days.set([party, nights, monthOfDay(day), airport, country, region, resort, day], count * WIDTH);
        count += 1;
      }
    },
    isFull(): boolean {
      if (count < max) return false;
      squeeze();
      return count >= max / 2;
    },
    /**
     * Returns the days by block, in key order and at most `blocksAtOnce` blocks at a time, and forgets them.
     * Do not call `add` before it has returned the last block.
     */
    *take(blocksAtOnce: number): Generator<BlockDays[]> {
      try {
        let taken: { block: BlockKey; days: number[] }[] = [];
        let before: number | null = null;
        for (const at of sorted()) {
          const isSameBlock = before !== null && compare(days, before, at, DAY) === 0;
          before = at;
          const day = days[at + DAY] ?? 0;
          if (isSameBlock) {
            taken.at(-1)?.days.push(day);
            continue;
          }
          if (taken.length === blocksAtOnce) {
            yield taken;
            taken = [];
          }
          taken.push({ block: [...days.subarray(at, at + DAY)] as unknown as BlockKey, days: [day] });
        }
        if (taken.length > 0) yield taken;
      } finally {
        count = 0;
        last = null;
      }
    },
  };
}

function isSameBlockDay(one: AnyKey, other: AnyKey): boolean {
  for (let column = OFFER.airport; column >= 0; column -= 1) if (one[column] !== other[column]) return false;
  return true;
}

/** Compares the first `columns` columns of two days. */
function compare(days: Int32Array, one: number, other: number, columns: number): number {
  for (let column = 0; column < columns; column += 1) {
    const difference = (days[one + column] ?? 0) - (days[other + column] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
