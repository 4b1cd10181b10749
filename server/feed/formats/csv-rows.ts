import { type Fingerprint, fingerprintOf, type LineSieve } from './fingerprint.ts';
import { cutOffFeed, type FeedBytes, FeedFault, type FlatRow, type RawRow, rowsOf } from './raw-row.ts';

/** Bytes. A longer record must lack a closing quote. */
const MAX_RECORD_BYTES = 1_048_576;

const [LF, CR, QUOTE] = [10, 13, 34];

/** The items of a row: usually one. */
export type ReadCells = (cells: readonly string[]) => readonly FlatRow[];

export interface CsvReading {
  delimiter: string;
  /** False: the first line is a row already. */
  hasHeader?: boolean;
  /** Lines above the header. */
  skip?: number;
  /** What comments begin with. */
  comment?: string | undefined;
  /** Whether a line, with its cells joined by the delimiter, is no row. */
  isIgnored?: (line: string) => boolean;
  /** Throws a FeedFault that names the missing columns. */
  readHeader: (columns: readonly string[]) => ReadCells;
  /** Leaves out known lines. */
  sieve?: LineSieve;
}

/**
 * Reads a CSV file (RFC 4180) with a header row, in batches. Rejects malformed rows and rows with the wrong number of
 * cells. Throws a FeedFault for a malformed header, a quote that never closes, or a truncated last row.
 */
export async function* readCsvRows(
  bytes: FeedBytes,
  {
    delimiter,
    readHeader,
    hasHeader = true,
    skip: above = 0,
    comment,
    isIgnored = () => false,
    sieve = fingerprintOf,
  }: CsvReading,
): AsyncGenerator<RawRow[]> {
  const mark = Buffer.from(comment ?? '');
  let header: { width: number; readCells: ReadCells; fingerprint: Fingerprint | undefined } | null = null;
  let line = above + 1;
  /** The line of the last row, if it has too few cells. */
  let shortRow: number | null = null;
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);

  function read(record: Buffer): RawRow[] {
    const refused = (reason: string): RawRow[] => [{ kind: 'unreadable', line, value: '', reason }];
    if (header === null) {
      const columns = cellsOf(record.toString(), delimiter);
      if (typeof columns === 'string')
        throw new FeedFault(
          `Line ${line}: the header has a misplaced quote: correct it, or set the delimiter in the mapping.`,
        );
      if (isIgnored(columns.join(delimiter))) return [];
      const readCells = readHeader(columns.map((name, nth) => (hasHeader ? name.trim() : String(nth + 1))));
      header = {
        width: columns.length,
        readCells,
        fingerprint: hasHeader ? fingerprintOf(record) : undefined,
      };
      if (hasHeader) return [];
    }
    const fingerprint = sieve(record, header.fingerprint);
    if (fingerprint === null) {
      shortRow = null;
      return [];
    }
    const cells = cellsOf(record.toString(), delimiter);
    if (typeof cells === 'string') return refused('has a misplaced quote');
    if (isIgnored(cells.join(delimiter))) return [];
    const isShort = cells.length < header.width && cells.some((cell) => cell.trim() !== '');
    shortRow = isShort ? line : null;
    if (cells.length === header.width) return rowsOf(line, fingerprint, header.readCells(cells));
    return refused('has more or fewer cells than the header');
  }

  /** The record that begins at `from`, without its newline; null: it is not complete. */
  function recordAt(buffer: Buffer, from: number, isLast: boolean) {
    const isComment = mark.length > 0 && buffer.subarray(from, from + mark.length).equals(mark);
    let quotes = 0;
    for (let [at, lines] = [from, 1]; ; lines += 1) {
      const end = buffer.indexOf(LF, at);
      if (end < 0 && !isLast) return null;
      const stop = end < 0 ? buffer.length : end;
      const record = buffer.subarray(from, buffer[stop - 1] === CR ? stop - 1 : stop);
      const before = quotes;
      for (let quote = record.indexOf(QUOTE, at - from); quote >= 0; quote = record.indexOf(QUOTE, quote + 1))
        quotes += 1;
      // Within an open cell, the number of quotes is odd; after a misplaced one, the record ends with its line.
      const isOpen =
        !isComment &&
        quotes % 2 === 1 &&
        ((lines > 1 && quotes === before) || cellsOf(record.toString(), delimiter) === 'open');
      if (!isOpen) return { record, isComment, lines, next: stop + 1 };
      if (end < 0 || record.length > MAX_RECORD_BYTES) throw endless(line);
      at = end + 1;
    }
  }

  /** The rows of all records that are complete. */
  function readAll(buffer: Buffer, isLast: boolean): RawRow[] {
    const rows: RawRow[] = [];
    let at = 0;
    while (at < buffer.length) {
      const found = recordAt(buffer, at, isLast);
      if (found === null) break;
      if (found.record.length > MAX_RECORD_BYTES) throw endless(line);
      if (found.record.length > 0 && !found.isComment) rows.push(...read(found.record));
      line += found.lines;
      at = found.next;
    }
    rest = buffer.subarray(at);
    if (rest.length > MAX_RECORD_BYTES) throw endless(line);
    return rows;
  }

  let last: number | undefined = LF;
  for await (const chunk of withoutLines(bytes, above)) {
    last = chunk.at(-1) ?? last;
    yield readAll(Buffer.concat([rest, chunk]), false);
  }
  yield readAll(rest, true);
  if (header === null) throw new FeedFault('The feed is empty: it has no header row.');
  if (last !== LF && shortRow !== null)
    throw cutOffFeed(
      shortRow,
      'has fewer cells than the header',
      ' If it is a footer, add a pattern of it to "ignore" in the mapping.',
    );
}

/** What follows the first lines of a file. */
async function* withoutLines(bytes: FeedBytes, lines: number): FeedBytes {
  let left = lines;
  for await (const chunk of bytes) {
    let from = 0;
    while (left > 0 && from < chunk.length) {
      const end = chunk.indexOf(LF, from);
      from = end < 0 ? chunk.length : end + 1;
      if (end >= 0) left -= 1;
    }
    if (from < chunk.length) yield chunk.subarray(from);
  }
}

function endless(line: number): FeedFault {
  return new FeedFault(
    `Line ${line}: the row that begins here has an unclosed quote or is longer than ${MAX_RECORD_BYTES} bytes. The rest cannot be parsed, so nothing was imported: correct that row and try again.`,
  );
}

/** A record's cells, or what is wrong with its quotes: its last cell is not closed, or one is misplaced. */
function cellsOf(record: string, delimiter: string): string[] | 'open' | 'misplaced' {
  if (!record.includes('"')) return record.split(delimiter);
  const cells: string[] = [];
  for (let at = 0; ; ) {
    const isQuoted = record[at] === '"';
    const from = isQuoted ? at + 1 : at;
    let end = record.indexOf(isQuoted ? '"' : delimiter, from);
    while (isQuoted && end >= 0 && record[end + 1] === '"') end = record.indexOf('"', end + 2);
    if (isQuoted && end < 0) return 'open';
    const cell = record.slice(from, end < 0 ? undefined : end);
    if (!isQuoted && cell.includes('"')) return 'misplaced';
    cells.push(isQuoted ? cell.replaceAll('""', '"') : cell);
    const next = isQuoted ? end + 1 : end;
    if (end < 0 || next === record.length) return cells;
    if (record[next] !== delimiter) return 'misplaced';
    at = next + 1;
  }
}
