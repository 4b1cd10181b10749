import { readCsvRows } from './csv-rows.ts';
import { NOT_UTF8 } from './feed-text.ts';
import { isFlatField, NEEDED_FIELDS, noFields } from './flat-item.ts';
import {
  cutOffFeed,
  type FeedBytes,
  FeedFault,
  type FlatRow,
  type Problem,
  type RawRow,
  type RowReading,
} from './raw-row.ts';

/** The item's fields that are JSON text with fields of their own (Section 3). */
const JSON_FIELDS: readonly string[] = ['Hotel', 'Flight', 'AdditionalData'];

/** Required fields that may be in the Hotel column instead of their own. */
const IN_HOTEL: readonly string[] = ['HotelName'];

/** Bytes of a line. A longer one is refused; a far longer one is no line. */
const MAX_LINE_BYTES = 1_048_576;
const MAX_ITEM_BYTES = 64 * MAX_LINE_BYTES;

const NEWLINE = 10;

type JsonObject = Readonly<Record<string, unknown>>;

/** Reads a CSV file whose columns are the item's fields; Hotel, Flight and AdditionalData are JSON text. */
export function readItemsCsv(bytes: FeedBytes, { sieve }: RowReading): AsyncGenerator<RawRow[]> {
  return readCsvRows(bytes, {
    sieve,
    delimiter: ',',
    readHeader(columns) {
      checkHeader(columns);
      const read = columns.flatMap((name, index) =>
        isFlatField(name) || JSON_FIELDS.includes(name) ? [{ name, index }] : [],
      );
      return (cells) => {
        const item: Record<string, unknown> = {};
        for (const { name, index } of read) item[name] = cells[index];
        return [flattenItem(item)];
      };
    },
  });
}

function checkHeader(columns: readonly string[]): void {
  const twice = columns.find((name, index) => name !== '' && columns.indexOf(name) !== index);
  if (twice !== undefined) throw new FeedFault(`The header has the column ${twice} twice.`);
  if (columns.length === 1 && /[;\t|]/.test(columns[0] ?? '')) {
    throw new FeedFault('The columns are not separated by commas, which items-csv requires.');
  }
  const missing = NEEDED_FIELDS.filter(
    (field) => !columns.includes(field) && !(IN_HOTEL.includes(field) && columns.includes('Hotel')),
  );
  if (missing.length === 0) return;
  throw new FeedFault(
    `The header has no column named ${missing.join(', ')}: see docs/contracts/feed-columns.md, or import it with a mapping.`,
  );
}

/**
 * Reads newline-delimited JSON, one item per line, in batches, without known lines. Refuses unreadable lines one by
 * one. Throws a FeedFault if the last line does not end in a newline.
 */
export async function* readItemsJson(bytes: FeedBytes, { sieve }: RowReading): AsyncGenerator<RawRow[]> {
  let line = 0;
  let rest: Uint8Array = new Uint8Array();

  /** The row of a line; none if it is blank or known. */
  function take(written: Uint8Array): RawRow[] {
    line += 1;
    const fingerprint = sieve(written);
    if (fingerprint === null) return [];
    const isTooLong = written.length > MAX_LINE_BYTES;
    const text = isTooLong ? '' : textOf(written);
    if (text.trim() === '' && !isTooLong) return [];
    const read = isTooLong ? `is longer than ${MAX_LINE_BYTES} bytes` : readLine(text);
    if (typeof read !== 'string') return [{ kind: 'row', line, fingerprint, ...read }];
    return [{ kind: 'unreadable', line, value: text, reason: read }];
  }

  for await (const chunk of bytes) {
    const buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const rows: RawRow[] = [];
    let from = 0;
    for (let at = buffer.indexOf(NEWLINE, rest.length); at >= 0; at = buffer.indexOf(NEWLINE, from)) {
      rows.push(...take(buffer.subarray(from, at)));
      from = at + 1;
    }
    rest = buffer.subarray(from);
    if (rest.length > MAX_ITEM_BYTES) throw new FeedFault(`Line ${line + 1} ${NOT_AN_ITEM}.`);
    yield rows;
  }
  const last = rest.length === 0 ? [] : take(rest);
  if (last[0]?.kind === 'unreadable') throw cutOffFeed(line, last[0].reason);
  yield last;
}

function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('utf8');
}

/** A line's fields, or why it is no item. */
function readLine(text: string): FlatRow | string {
  if (text.includes(NOT_UTF8)) return 'is not UTF-8 text';
  try {
    const item = asObject(JSON.parse(text));
    return item === null ? NOT_AN_ITEM : flattenItem(item);
  } catch {
    return NOT_AN_ITEM;
  }
}

const NOT_AN_ITEM =
  'is not one JSON object: put each item on a line of its own, without brackets or commas between them (jq -c does that)';

/** An item's own fields and those of its JSON texts. Its own fields take precedence. */
function flattenItem(item: JsonObject): FlatRow {
  const fields = noFields();
  const problems: Problem[] = [];
  const add = (object: JsonObject) => {
    for (const field of Object.keys(object)) {
      const value = object[field];
      if (isFlatField(field) && isGiven(value)) fields[field] = value;
    }
  };
  for (const field of JSON_FIELDS) {
    const value = Object.hasOwn(item, field) ? item[field] : undefined;
    if (!isGiven(value)) continue;
    const object = asObject(typeof value === 'string' ? parseJson(value) : value);
    if (object !== null) add(object);
    else problems.push({ field, value, reason: 'is not a JSON object' });
  }
  add(item);
  return { fields, problems };
}

/** Null and blank values count as missing. */
function isGiven(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : value !== undefined && value !== null;
}

function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
