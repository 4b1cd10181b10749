import { type CsvError, type InfoRecord, parse } from 'csv-parse';
import { cutOffFeed, type FeedBytes, FeedFault, type FlatRow, type RawRow } from './raw-row.ts';

/** Bytes. A longer record must lack a closing quote. */
const MAX_RECORD_BYTES = 1_048_576;

const NEWLINE = 10;

const LINE_ENDS = ['\r\n', '\n', '\r'];

/** The errors after which the rest of the file is unreadable. */
const ENDLESS = ['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE'];

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
}

/**
 * Reads a CSV file with a header row, in batches. Rejects malformed rows and rows with the wrong number of
 * cells. Throws a FeedFault for a malformed header, a quote that never closes, or a truncated last row.
 */
export async function* readCsvRows(
  bytes: FeedBytes,
  { delimiter, readHeader, hasHeader = true, skip: above = 0, comment, isIgnored }: CsvReading,
): AsyncGenerator<RawRow[]> {
  let rows: RawRow[] = [];
  let width = 0;
  let readCells: ReadCells | null = null;
  let fault: unknown = null;
  /** The line on which the last record ended. */
  let line = above;
  /** Lines that csv-parse has counted twice, a CR and LF within quotes, less those that it has not seen. */
  let countedTwice = -above;
  /** The line of the last row, if it has too few cells. */
  let shortRow: number | null = null;
  let brokenLine: number | null = null;

  /** The first line of the record that ends on csv-parse's line `lines`. */
  function beginningOf(cells: readonly string[], lines: number): number {
    const isOneLine = lines - countedTwice <= line + 1;
    const breaks = isOneLine ? [] : cells.flatMap((cell) => cell.match(/\r\n|\r|\n/g) ?? []);
    countedTwice += breaks.filter((one) => one === '\r\n').length;
    line = lines - countedTwice;
    return line - breaks.length;
  }

  function refuse(at: number, reason: string): void {
    rows.push({ kind: 'unreadable', line: at, value: '', reason });
  }

  function take(cells: readonly string[], at: number): void {
    if (isIgnored?.(cells.join(delimiter)) === true) return;
    shortRow = null;
    if (readCells === null) {
      width = cells.length;
      readCells = readHeader(cells.map((name, nth) => (hasHeader ? name.trim() : String(nth + 1))));
      if (hasHeader) return;
    }
    if (cells.length === width) {
      for (const row of readCells(cells)) rows.push({ kind: 'row', line: at, ...row });
    } else {
      if (cells.length < width && cells.some((cell) => cell.trim() !== '')) shortRow = at;
      refuse(at, 'has more or fewer cells than the header');
    }
  }

  /** May be called several times for one record. */
  function skip(error: CsvError | undefined): undefined {
    const at = line + 1;
    if (fault !== null) return;
    if (ENDLESS.includes(error?.code ?? '')) {
      fault = new FeedFault(
        `Line ${at}: the row that begins here has an unclosed quote or is longer than ${MAX_RECORD_BYTES} bytes. The rest cannot be parsed, so nothing was imported: correct that row and try again.`,
      );
    } else if (readCells === null) {
      fault = new FeedFault(
        `Line ${at}: the header has a misplaced quote: correct it, or set the delimiter in the mapping.`,
      );
    } else {
      const on = Number(error?.lines ?? at) - countedTwice;
      if (on !== brokenLine) refuse(on, 'has a misplaced quote');
      brokenLine = on;
    }
  }

  /** The rows since the last call. Throws if the feed cannot be read. */
  function takeRows(): RawRow[] {
    if (fault !== null) throw fault;
    const taken = rows;
    rows = [];
    return taken;
  }

  const parser = parse({
    bom: true,
    delimiter,
    ...(comment === undefined ? {} : { comment, comment_no_infix: true }),
    record_delimiter: LINE_ENDS,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MAX_RECORD_BYTES,
    on_record(cells: string[], { lines }: InfoRecord): null {
      try {
        if (fault === null) take(cells, beginningOf(cells, lines));
      } catch (error) {
        fault = error;
      }
      return null;
    },
    on_skip: skip,
  });
  // `on_record` takes the records: the stream itself only reports errors and its end.
  parser.on('error', (error) => {
    fault ??= error;
  });
  parser.resume();
  let lastByte = 0;
  for await (const chunk of withoutLines(bytes, above)) {
    lastByte = chunk.at(-1) ?? lastByte;
    await new Promise<void>((settle) => {
      parser.write(chunk, () => settle());
    });
    yield takeRows();
  }
  await new Promise<void>((settle) => {
    parser.once('close', settle).end();
  });
  yield takeRows();
  if (readCells === null) throw new FeedFault('The feed is empty: it has no header row.');
  const hasNewline = LINE_ENDS.includes(String.fromCharCode(lastByte));
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
      const end = chunk.indexOf(NEWLINE, from);
      from = end < 0 ? chunk.length : end + 1;
      if (end >= 0) left -= 1;
    }
    if (from < chunk.length) yield chunk.subarray(from);
  }
}
