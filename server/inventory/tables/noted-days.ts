import { monthOfDay } from '../../../domain/month.ts';
import type { BlockKey } from '../block-key.ts';
import { OFFER, type OfferKey } from '../offer-columns.ts';
import type { BlockDays } from './block-day-source.ts';

type AnyKey = readonly [...key: OfferKey, ...values: unknown[]];

/** The days of price blocks whose offers have changed. */
export interface NotedDays {
  add(keys: Iterable<AnyKey>): void;
  /** How many days there are. */
  readonly size: number;
  /** Returns them by block, at most so many blocks at a time, in the order of the blocks, and forgets them. */
  take(most: number): Generator<BlockDays[]>;
}

export function notedDays(): NotedDays {
  let blocks = new Map<string, { block: BlockKey; days: number[] }>();
  let size = 0;
  let last: AnyKey | null = null;
  return {
    add(keys) {
      for (const key of keys) {
        if (last !== null && isSameBlockDay(last, key)) continue;
        last = key;
        const [day, nights, party, country, region, resort, airport] = key;
        const month = monthOfDay(day);
        const name = `${month},${nights},${party},${country},${region},${resort},${airport}`;
        const noted = blocks.get(name);
        if (noted === undefined) {
          blocks.set(name, { block: [party, nights, month, airport, country, region, resort], days: [day] });
        } else if (!noted.days.includes(day)) noted.days.push(day);
        else continue;
        size += 1;
      }
    },
    get size() {
      return size;
    },
    *take(most) {
      const taken = [...blocks.values()].sort((one, other) => compareKeys(one.block, other.block));
      blocks = new Map();
      size = 0;
      last = null;
      for (let from = 0; from < taken.length; from += most) yield taken.slice(from, from + most);
    },
  };
}

function isSameBlockDay(one: AnyKey, other: AnyKey): boolean {
  for (let column = OFFER.airport; column >= 0; column -= 1) if (one[column] !== other[column]) return false;
  return true;
}

function compareKeys(one: BlockKey, other: BlockKey): number {
  for (const [at, value] of one.entries()) {
    const difference = value - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
