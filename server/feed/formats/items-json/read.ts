import { NOT_UTF8 } from '../feed-text.ts';
import { flattenItem } from '../flatten-item.ts';
import { cutOffFeed, type FeedBytes, FeedFault, type RawRow } from '../raw-row.ts';
import { type LineTrouble, lineTrouble, longLineTrouble, noItemTrouble } from './line-trouble.ts';

/** A longer line is refused. */
const LONGEST_LINE = 1_048_576;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/**
 * Reads newline-delimited JSON, one item per line, in batches. A line that cannot be read is refused alone, unless it is
 * the last one and may be cut off.
 */
export async function* readItemsJson(bytes: FeedBytes): AsyncGenerator<RawRow[]> {
  let line = 0;
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let bytesOfLine = 0;

  /** Keeps only the beginning of a line that is too long. */
  function hold(part: Uint8Array): void {
    bytesOfLine += part.length;
    const kept = part.subarray(0, LONGEST_LINE - heldBytes);
    if (kept.length === 0) return;
    held.push(kept);
    heldBytes += kept.length;
  }

  function take(): ReadLine {
    line += 1;
    const isTooLong = bytesOfLine > LONGEST_LINE;
    const text = textOf(held);
    held = [];
    heldBytes = 0;
    bytesOfLine = 0;
    const plain = line === 1 ? text.replace(/^\uFEFF/, '') : text;
    return isTooLong ? unreadable(line, longLineTrouble(plain, LONGEST_LINE), '') : readLine(plain, line);
  }

  for await (const chunk of bytes) {
    const rows: RawRow[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      hold(chunk.subarray(from, at));
      const { row } = take();
      if (row !== null) rows.push(row);
      from = at + 1;
    }
    hold(chunk.subarray(from));
    yield rows;
  }
  if (bytesOfLine === 0) return;
  const isHalfEnd = held.at(-1)?.at(-1) === CARRIAGE_RETURN;
  const { row, trouble } = take();
  // An item ends with its brace, so a readable one is complete. After half a line break, the feed is not.
  if (isHalfEnd || trouble?.end === 'cut off') throw cutOffFeed(line);
  if (trouble?.end === 'in doubt') {
    throw new FeedFault(
      `Line ${line} ${trouble.reason}. It is the last one and does not end with a newline, so more may be missing, and nothing was imported.`,
    );
  }
  if (row !== null) yield [row];
}

/** Most lines lie within one chunk. */
function textOf(parts: readonly Uint8Array[]): string {
  const [only = new Uint8Array(), ...more] = parts;
  const bytes =
    more.length === 0 ? Buffer.from(only.buffer, only.byteOffset, only.length) : Buffer.concat(parts);
  return bytes.toString('utf8');
}

/** A line's row, null if it is blank; `trouble` is why the row cannot be read. */
interface ReadLine {
  row: RawRow | null;
  trouble?: LineTrouble;
}

function readLine(text: string, line: number): ReadLine {
  if (text.trim() === '') return { row: null };
  if (text.includes(NOT_UTF8)) {
    return unreadable(line, { ...lineTrouble(text), reason: 'is not UTF-8 text' }, text);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unreadable(line, lineTrouble(text), text);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return unreadable(line, noItemTrouble(value), text);
  }
  const { fields, problems } = flattenItem(value as Readonly<Record<string, unknown>>);
  return { row: { kind: 'row', line, fields, problems } };
}

function unreadable(line: number, trouble: LineTrouble, value: string): ReadLine {
  const problems = [{ field: '', value, reason: trouble.reason }];
  return { row: { kind: 'unreadable', line, problems }, trouble };
}
