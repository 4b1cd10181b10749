import { NOT_UTF8 } from '../feed-text.ts';
import { flattenItem } from '../flatten-item.ts';
import { cutOffFeed, type FeedBytes, type RawRow } from '../raw-row.ts';

/** A longer line is refused. */
const LONGEST_LINE = 1_048_576;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

const NOT_JSON = 'is not JSON';

/**
 * Reads newline-delimited JSON, one item per line, in batches. A line that cannot be read is refused alone, unless it is
 * the last one and cut off.
 */
export async function* readItemsJson(bytes: FeedBytes): AsyncGenerator<RawRow[]> {
  let line = 0;
  let held: Uint8Array[] = [];
  let heldBytes = 0;

  function take(rest: Uint8Array): RawRow | null {
    line += 1;
    const length = heldBytes + rest.length;
    const text = length > LONGEST_LINE ? null : textOf(held, rest);
    held = [];
    heldBytes = 0;
    if (text === null) return unreadable(line, `is longer than ${LONGEST_LINE} bytes`, '');
    return readLine(line === 1 ? text.replace(/^\uFEFF/, '') : text, line);
  }

  for await (const chunk of bytes) {
    const rows: RawRow[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const row = take(chunk.subarray(from, at));
      if (row !== null) rows.push(row);
      from = at + 1;
    }
    const rest = chunk.subarray(from);
    heldBytes += rest.length;
    // Only the length of a line that is too long is kept.
    if (heldBytes <= LONGEST_LINE) held.push(rest);
    else held = [];
    yield rows;
  }
  const isHalfEnd = held.at(-1)?.at(-1) === CARRIAGE_RETURN;
  const last = heldBytes > 0 ? take(new Uint8Array()) : null;
  // After half a line break the row is complete, but the feed is not.
  if (isHalfEnd) throw cutOffFeed(line);
  // An item ends with its brace, so a readable one is complete.
  if (last?.kind === 'unreadable') throw cutOffFeed(last.line);
  if (last !== null) yield [last];
}

/** Most lines lie within one chunk. */
function textOf(held: readonly Uint8Array[], rest: Uint8Array): string {
  const bytes =
    held.length === 0
      ? Buffer.from(rest.buffer, rest.byteOffset, rest.length)
      : Buffer.concat([...held, rest]);
  return bytes.toString('utf8');
}

function readLine(text: string, line: number): RawRow | null {
  if (text.trim() === '') return null;
  if (text.includes(NOT_UTF8)) return unreadable(line, 'is not UTF-8 text', text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unreadable(line, NOT_JSON, text);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return unreadable(line, 'is not a JSON object', text);
  }
  const { fields, problems } = flattenItem(value as Readonly<Record<string, unknown>>);
  return { kind: 'row', line, fields, problems };
}

function unreadable(line: number, reason: string, value: string): RawRow {
  return { kind: 'unreadable', line, problem: { field: '', value, reason } };
}
