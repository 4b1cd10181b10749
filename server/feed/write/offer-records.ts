import type { OfferRow } from '../../inventory/inventory.ts';
import { OFFER_COLUMNS } from '../../inventory/offer-columns.ts';

/*
 * The binary form of a staged row: every column but the link as a 32-bit integer, the feed's line, the link's length
 * in bytes, and the link, padded to whole words. The key columns and the price come first, in sort order.
 */

const LINK = OFFER_COLUMNS.indexOf('link');
const LINE = LINK;
const LINK_BYTES = LINK + 1;
const HEADER_WORDS = LINK + 2;
const SORT_COLUMNS = OFFER_COLUMNS.indexOf('price') + 1;

/** No column holds it. */
const NULL = -(2 ** 31);

/** UTF-8 takes at most this many bytes for a UTF-16 unit. */
const MOST_BYTES_A_UNIT = 3;

/** The same memory twice: links are bytes, everything else is words. Positions are in words. */
export interface RecordMemory {
  words: Int32Array;
  bytes: Buffer;
}

export function allocateRecords(bytes: number): RecordMemory {
  const memory = new ArrayBuffer(bytes);
  return { words: new Int32Array(memory), bytes: Buffer.from(memory) };
}

/** How many words a row takes at most. */
export function mostWords(row: OfferRow): number {
  const link = row[LINK];
  return HEADER_WORDS + Math.ceil((typeof link === 'string' ? link.length * MOST_BYTES_A_UNIT : 0) / 4);
}

/** Writes a row at `at` and returns the position behind it. There must be `mostWords` of room. */
export function writeRecord({ words, bytes }: RecordMemory, at: number, row: OfferRow, line: number): number {
  for (let column = 0; column < LINK; column += 1) {
    const value = row[column];
    words[at + column] = typeof value === 'number' ? value : NULL;
  }
  words[at + LINE] = line;
  const link = row[LINK];
  const length = typeof link === 'string' ? bytes.write(link, (at + HEADER_WORDS) * 4) : NULL;
  words[at + LINK_BYTES] = length;
  return at + wordsFor(length);
}

export function readRecord({ words, bytes }: RecordMemory, at: number): { row: OfferRow; line: number } {
  const row: (number | string | null)[] = [];
  for (let column = 0; column < LINK; column += 1) {
    const value = words[at + column] ?? NULL;
    row.push(value === NULL ? null : value);
  }
  const length = words[at + LINK_BYTES] ?? NULL;
  const from = (at + HEADER_WORDS) * 4;
  row.push(length === NULL ? null : bytes.toString('utf8', from, from + length));
  return { row: row as unknown as OfferRow, line: words[at + LINE] ?? 0 };
}

/** The length of the record at `at` in words; null if it does not end before `end`. */
export function recordWords({ words }: RecordMemory, at: number, end: number): number | null {
  if (at + HEADER_WORDS > end) return null;
  const length = wordsFor(words[at + LINK_BYTES] ?? NULL);
  return at + length > end ? null : length;
}

/** By key, then by price, then by the feed's line. */
export function compareRecords(
  one: RecordMemory,
  oneAt: number,
  other: RecordMemory,
  otherAt: number,
): number {
  for (let column = 0; column < SORT_COLUMNS; column += 1) {
    const difference = (one.words[oneAt + column] ?? 0) - (other.words[otherAt + column] ?? 0);
    if (difference !== 0) return difference;
  }
  return (one.words[oneAt + LINE] ?? 0) - (other.words[otherAt + LINE] ?? 0);
}

function wordsFor(linkBytes: number): number {
  return HEADER_WORDS + (linkBytes === NULL ? 0 : Math.ceil(linkBytes / 4));
}
