import { LRUCache } from 'lru-cache';
import type { Pence } from '../../domain/money.ts';

/** A package that may be comparable with another. */
export type Candidate = [
  day: number,
  party: number,
  airport: number,
  hotel: number,
  board: number,
  room: number,
  price: Pence,
  halfStars: number,
];

/** Packages of one day that are kept. The packages of a day with more are read for each verdict anew. */
export const MOST_PACKED = 500_000;

/** Bytes of the days that are cached. */
const CACHED_BYTES = 16 * 2 ** 20;

const COLUMNS = 8;
const BYTES_OF_NUMBER = Int32Array.BYTES_PER_ELEMENT;

/** Packages of a crowded day, in a tenth of the memory of their rows. */
export interface PackedCandidates {
  /** Each is valid until the next one is read: one array has them all, one after the other. */
  rows(): Iterable<Readonly<Candidate>>;
  readonly bytes: number;
}

/** The packages of crowded days that were read last. */
export type CrowdedDays = LRUCache<string, PackedCandidates>;

export function crowdedDays(): CrowdedDays {
  return new LRUCache({ maxSize: CACHED_BYTES, sizeCalculation: ({ bytes }) => Math.max(1, bytes) });
}

export function packCandidates(candidates: Iterable<Candidate>): PackedCandidates {
  let numbers = new Int32Array(COLUMNS * 2 ** 14);
  let length = 0;
  for (const candidate of candidates) {
    if (length === numbers.length) {
      const grown = new Int32Array(2 * length);
      grown.set(numbers);
      numbers = grown;
    }
    numbers.set(candidate, length);
    length += COLUMNS;
  }
  const packed = numbers.slice(0, length);
  return {
    *rows() {
      const row: Candidate = [0, 0, 0, 0, 0, 0, 0, 0];
      for (let at = 0; at < packed.length; at += COLUMNS) {
        for (let column = 0; column < COLUMNS; column += 1) row[column] = packed[at + column] ?? 0;
        yield row;
      }
    },
    bytes: BYTES_OF_NUMBER * length,
  };
}
