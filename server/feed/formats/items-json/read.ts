import { NOT_UTF8 } from '../feed-text.ts';
import { flattenItem } from '../flatten-item.ts';
import { cutOffFeed, type FeedBytes, type RawRow } from '../raw-row.ts';
import { lineTrouble, longLineTrouble, noItemTrouble } from './line-trouble.ts';

/** Bytes. A longer line is refused. */
const MAX_LINE_BYTES = 1_048_576;

const NEWLINE = 10;

/**
 * Reads newline-delimited JSON, one item per line, in batches. Refuses unreadable lines one by one. Throws a
 * FeedFault if the last one has no newline.
 */
export async function* readItemsJson(bytes: FeedBytes): AsyncGenerator<RawRow[]> {
  let line = 0;
  let buffered: Uint8Array[] = [];
  let bufferedBytes = 0;
  let bytesOfLine = 0;

  /** Keeps only the beginning of an overlong line. */
  function hold(part: Uint8Array): void {
    bytesOfLine += part.length;
    const kept = part.subarray(0, MAX_LINE_BYTES - bufferedBytes);
    if (kept.length === 0) return;
    buffered.push(kept);
    bufferedBytes += kept.length;
  }

  /** The row of the current line; null if it is blank. */
  function take(): RawRow | null {
    line += 1;
    const isTooLong = bytesOfLine > MAX_LINE_BYTES;
    const text = Buffer.concat(buffered).toString('utf8');
    buffered = [];
    bufferedBytes = 0;
    bytesOfLine = 0;
    const plain = line === 1 ? text.replace(/^\uFEFF/, '') : text;
    return isTooLong ? unreadable(line, longLineTrouble(plain, MAX_LINE_BYTES), '') : readLine(plain, line);
  }

  for await (const chunk of bytes) {
    const rows: RawRow[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      hold(chunk.subarray(from, at));
      const row = take();
      if (row !== null) rows.push(row);
      from = at + 1;
    }
    hold(chunk.subarray(from));
    yield rows;
  }
  const last = bytesOfLine === 0 ? null : take();
  if (last?.kind === 'unreadable') throw cutOffFeed(line, last.problems[0]?.reason ?? 'cannot be read');
  if (last !== null) yield [last];
}

function readLine(text: string, line: number): RawRow | null {
  if (text.trim() === '') return null;
  if (text.includes(NOT_UTF8)) return unreadable(line, 'is not UTF-8 text', text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unreadable(line, lineTrouble(text), text);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return unreadable(line, noItemTrouble(value), text);
  }
  return { kind: 'row', line, ...flattenItem(value as Readonly<Record<string, unknown>>) };
}

function unreadable(line: number, reason: string, value: string): RawRow {
  return { kind: 'unreadable', line, problems: [{ field: '', value, reason }] };
}
