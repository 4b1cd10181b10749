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
  const nextRecord = recordFinder(delimiter.charCodeAt(0), Buffer.from(comment ?? ''));
  let header: { width: number; readCells: ReadCells; fingerprint: Fingerprint | undefined } | null = null;
  let line = above + 1;
  /** The line of the last row, if it has too few cells. */
  let shortRow: number | null = null;
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);

  function read(record: Buffer, { isQuoted, isBroken }: CsvRecord): RawRow[] {
    const refused = (reason: string): RawRow[] => [{ kind: 'unreadable', line, value: '', reason }];
    if (header === null) {
      if (isBroken)
        throw new FeedFault(
          `Line ${line}: the header has a misplaced quote: correct it, or set the delimiter in the mapping.`,
        );
      const columns = cellsOf(record.toString(), delimiter, isQuoted);
      if (isIgnored(columns.join(delimiter))) return [];
      const readCells = readHeader(columns.map((name, nth) => (hasHeader ? name.trim() : String(nth + 1))));
      header = {
        width: columns.length,
        readCells,
        fingerprint: hasHeader ? fingerprintOf(record) : undefined,
      };
      if (hasHeader) return [];
    }
    if (isBroken) return refused('has a misplaced quote');
    const fingerprint = sieve(record, header.fingerprint);
    const cells = fingerprint === null ? null : cellsOf(record.toString(), delimiter, isQuoted);
    if (cells !== null && isIgnored(cells.join(delimiter))) return [];
    shortRow = null;
    if (fingerprint === null || cells === null) return [];
    if (cells.length === header.width) return rowsOf(line, fingerprint, header.readCells(cells));
    if (cells.length < header.width && cells.some((cell) => cell.trim() !== '')) shortRow = line;
    return refused('has more or fewer cells than the header');
  }

  /** The rows of all records that are complete. */
  function readAll(buffer: Buffer, isLast: boolean): RawRow[] {
    const rows: RawRow[] = [];
    const find = nextRecord(buffer, isLast);
    let at = 0;
    for (let found = find(at); found !== null; found = find(at)) {
      const record = buffer.subarray(at, found.end);
      if (record.length > MAX_RECORD_BYTES) throw endless(line);
      if (record.length > 0 && !found.isComment) rows.push(...read(record, found));
      line += 1 + (found.isQuoted ? (record.toString('latin1').match(/\r\n|\r|\n/g)?.length ?? 0) : 0);
      at = found.next;
    }
    rest = buffer.subarray(at);
    if (rest.length > MAX_RECORD_BYTES || (isLast && rest.length > 0)) throw endless(line);
    return rows;
  }

  let ending: number | undefined = LF;
  for await (const chunk of withoutLines(bytes, above)) {
    ending = chunk.at(-1) ?? ending;
    yield readAll(Buffer.concat([rest, chunk]), false);
  }
  const hasNewline = ending === CR || ending === LF;
  yield readAll(Buffer.from(rest), true);
  if (header === null) throw new FeedFault('The feed is empty: it has no header row.');
  if (!hasNewline && shortRow !== null)
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

interface CsvRecord {
  /** Where the record ends, and where the next one begins. */
  end: number;
  next: number;
  isQuoted: boolean;
  /** A quote is misplaced. The record then ends with its line. */
  isBroken: boolean;
  isComment?: boolean;
}

/** Finds records in a buffer from left to right; null: none is complete. */
function recordFinder(delimiter: number, comment: Buffer) {
  return (buffer: Buffer, isLast: boolean) => {
    const newline = finder(buffer, LF);
    const carriageReturn = finder(buffer, CR);
    const quote = finder(buffer, QUOTE);
    const lineEnd = (from: number) => Math.min(newline(from), carriageReturn(from));

    function recordTo(end: number, isQuoted: boolean, isBroken = false): CsvRecord | null {
      const isComplete = end < buffer.length - 1 || buffer[end] === LF;
      if (!isComplete && !isLast) return null;
      const stop = Math.min(end, buffer.length);
      const isPair = buffer[stop] === CR && buffer[stop + 1] === LF;
      return { end: stop, next: Math.min(stop + (isPair ? 2 : 1), buffer.length), isQuoted, isBroken };
    }

    return (from: number): CsvRecord | null => {
      if (from >= buffer.length) return null;
      if (comment.length > 0 && buffer.subarray(from, from + comment.length).equals(comment)) {
        const found = recordTo(lineEnd(from), false);
        return found && { ...found, isComment: true };
      }
      for (let at = from; ; ) {
        const [open, end] = [quote(at), lineEnd(at)];
        if (open >= end) return recordTo(end, at > from);
        if (open !== from && buffer[open - 1] !== delimiter) return recordTo(lineEnd(open), true, true);
        let close = buffer.indexOf(QUOTE, open + 1);
        while (close >= 0 && buffer[close + 1] === QUOTE) close = buffer.indexOf(QUOTE, close + 2);
        if (close < 0 || (close === buffer.length - 1 && !isLast)) return null;
        at = close + 1;
        if (at === buffer.length || buffer[at] === LF || buffer[at] === CR) return recordTo(at, true);
        if (buffer[at] !== delimiter) return recordTo(lineEnd(at), true, true);
        at += 1;
      }
    };
  };
}

/** Finds a byte at or after a place, which must not decrease; infinity: there is none. */
function finder(buffer: Buffer, byte: number): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found >= from) return found;
    const at = buffer.indexOf(byte, from);
    found = at < 0 ? Number.POSITIVE_INFINITY : at;
    return found;
  };
}

/** The cells of a record without misplaced quotes. */
function cellsOf(record: string, delimiter: string, isQuoted: boolean): string[] {
  if (!isQuoted) return record.split(delimiter);
  const cells: string[] = [];
  for (let at = 0; ; ) {
    const isOpen = record[at] === '"';
    let end = isOpen ? record.indexOf('"', at + 1) : record.indexOf(delimiter, at);
    while (isOpen && record[end + 1] === '"') end = record.indexOf('"', end + 2);
    if (end < 0) return [...cells, record.slice(at)];
    cells.push(isOpen ? record.slice(at + 1, end).replaceAll('""', '"') : record.slice(at, end));
    if (isOpen && end + 1 === record.length) return cells;
    at = end + (isOpen ? 2 : 1);
  }
}
