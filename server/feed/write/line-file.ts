import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { KEY_COLUMNS, OFFER, type OfferKey } from '../../inventory/offer-columns.ts';
import { type Fingerprint, fingerprintOf, type LineSieve } from '../formats/fingerprint.ts';
import type { LineMark } from './staging.ts';

/**
 * The lines of a provider's last feed, one entry for each of its packages in the store: the line's fingerprint, the
 * minute until which it means the same, and the package's key. In 32-bit integers.
 */
const KEY_AT = 3;
const ENTRY = KEY_AT + KEY_COLUMNS.length;
const ENTRIES_READ = 16_384;

/** The states of entries: to be read again, known, and found in this feed. */
const [STALE, KNOWN, FOUND] = [0, 1, 2];

/** The last feed's lines, while the next feed is read. */
export type KnownLines = NonNullable<ReturnType<typeof readLines>>;

/** Reads a file of lines. Null: it is missing, or not the one with this number of entries. */
export function readLines(
  path: string,
  { count, minute, touched }: { count: number; minute: number; touched: readonly OfferKey[] },
) {
  const isTouched = keySet(touched);
  const prints = new Int32Array(2 * count);
  const hotels = new Int32Array(count);
  const states = new Uint8Array(count);
  // Open addressing: an entry's number, from 1, is at its fingerprint or in the next free place.
  const mask = 2 ** Math.ceil(Math.log2(2 * count + 2)) - 1;
  const places = new Int32Array(mask + 1);
  /** Days of departure, to count the packages that should be in the store. */
  const departures = new Map<number, number>();
  /** The first place of each hotel of lines that were found. */
  const found = new Map<number, number>();
  let isRepeated = false;
  let [lines, foundLines] = [0, 0];
  try {
    for (const [entry, nth] of entriesOf(path, count)) {
      const [high = 0, low = 0, until = 0] = entry;
      prints.set([high, low], 2 * nth);
      hotels[nth] = entry[KEY_AT + OFFER.hotel] ?? 0;
      const day = entry[KEY_AT + OFFER.departureDay] ?? 0;
      departures.set(day, (departures.get(day) ?? 0) + 1);
      if (until <= minute || isTouched(entry)) continue;
      states[nth] = KNOWN;
      let place = low & mask;
      while (places[place] !== 0) place = (place + 1) & mask;
      places[place] = nth + 1;
    }
  } catch {
    return null;
  }

  function stateOf({ high, low }: Fingerprint): number {
    for (let place = low & mask; places[place] !== 0; place = (place + 1) & mask) {
      const nth = (places[place] ?? 0) - 1;
      if (prints[2 * nth] !== high || prints[2 * nth + 1] !== low) continue;
      const state = states[nth] ?? STALE;
      isRepeated ||= state === FOUND;
      states[nth] = FOUND;
      const hotel = hotels[nth] ?? 0;
      if (!found.has(hotel)) found.set(hotel, lines);
      return state;
    }
    return STALE;
  }

  const sieve: LineSieve = (line, header) => {
    const fingerprint = fingerprintOf(line, header);
    lines += 1;
    fingerprint.nth = lines;
    if (stateOf(fingerprint) === STALE) return fingerprint;
    foundLines += 1;
    return null;
  };

  return {
    sieve,
    /** How many lines were found. */
    found: () => foundLines,
    /** Whether the feed has one of them twice. */
    isRepeated: () => isRepeated,
    /** The number of packages that depart on this day or later. */
    packagesFrom: (day: number) =>
      [...departures].reduce((sum, [departs, packages]) => sum + (departs >= day ? packages : 0), 0),
    /** The hotels of found lines. */
    hotels: () => new Set(found.keys()),
    /** Whether a line of the hotel was found before this one. */
    isFoundBefore: (hotel: number, nth: number) => (found.get(hotel) ?? Number.POSITIVE_INFINITY) < nth,
    /** The keys of the packages whose lines were not found. */
    *gone(): Generator<readonly number[]> {
      for (const [entry, nth] of entriesOf(path, count))
        if (states[nth] !== FOUND) yield [...entry.subarray(KEY_AT)];
    },
    /** The entries of found lines. */
    *entries(): Generator<Int32Array> {
      for (const [entry, nth] of entriesOf(path, count)) if (states[nth] === FOUND) yield entry;
    },
  };
}

/** Throws unless the file has exactly this number of entries. */
function* entriesOf(path: string, count: number): Generator<[entry: Int32Array, nth: number]> {
  const file = openSync(path, 'r');
  try {
    if (fstatSync(file).size !== count * ENTRY * 4) throw new Error('another number of lines');
    const buffer = new Int32Array(ENTRIES_READ * ENTRY);
    for (let nth = 0; nth < count; ) {
      const entries = Math.min(ENTRIES_READ, count - nth);
      for (let at = 0; at < entries * ENTRY * 4; ) {
        const read = readSync(file, buffer, at, entries * ENTRY * 4 - at, null);
        if (read === 0) throw new Error('cut off');
        at += read;
      }
      for (let at = 0; at < entries; at += 1, nth += 1)
        yield [buffer.subarray(at * ENTRY, (at + 1) * ENTRY), nth];
    }
  } finally {
    closeSync(file);
  }
}

/** Writes the lines of a feed to a file, which appears when it is complete. */
export function lineWriter(path: string) {
  const draft = `${path}.draft`;
  const file = openSync(draft, 'w', 0o600);
  const buffer = new Int32Array(ENTRIES_READ * ENTRY);
  let [buffered, count] = [0, 0];
  let isOpen = true;

  /** Closes the file once: its number may belong to another file afterwards. */
  function close(): void {
    if (isOpen) closeSync(file);
    isOpen = false;
  }

  function flush(): void {
    const bytes = new Uint8Array(buffer.buffer, 0, buffered * ENTRY * 4);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    buffered = 0;
  }

  function next(): number {
    if (buffered === ENTRIES_READ) flush();
    buffered += 1;
    count += 1;
    return (buffered - 1) * ENTRY;
  }

  return {
    add({ high, low, until }: LineMark, row: readonly unknown[]): void {
      const at = next();
      buffer[at] = high;
      buffer[at + 1] = low;
      buffer[at + 2] = until;
      for (let column = 0; column < KEY_COLUMNS.length; column += 1)
        buffer[at + KEY_AT + column] = Number(row[column]);
    },
    addEntry(entry: Int32Array): void {
      buffer.set(entry, next());
    },
    /** Returns the number of entries, without those of packages that are off sale. */
    finish(offSale: readonly OfferKey[]): number {
      flush();
      fsyncSync(file);
      close();
      if (offSale.length > 0) {
        const isOffSale = keySet(offSale);
        const others = lineWriter(`${path}.others`);
        for (const [entry] of entriesOf(draft, count)) if (!isOffSale(entry)) others.addEntry(entry);
        count = others.finish([]);
        renameSync(`${path}.others`, draft);
      }
      renameSync(draft, path);
      return count;
    },
    discard(): void {
      close();
      rmSync(draft, { force: true });
    },
  };
}

/** Returns a function that finds out whether an entry's package is among these. */
function keySet(keys: readonly OfferKey[]): (entry: Int32Array) => boolean {
  const texts = new Set(keys.map(String));
  const hotels = new Set(keys.map((key) => key[OFFER.hotel]));
  return (entry) => hotels.has(entry[KEY_AT + OFFER.hotel] ?? 0) && texts.has(entry.subarray(KEY_AT).join());
}
