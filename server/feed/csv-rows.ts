import { once } from 'node:events';
import { promisify } from 'node:util';
import { type CsvError, Parser } from 'csv-parse';
import { lastColumn } from './last-cell.ts';
import { cutOffFeed, type FeedBytes, FeedFault, type Problem, type RawRow } from './raw-row.ts';

/** A longer record has lost a closing quote. */
const LONGEST_RECORD = 1_048_576;

/** In bytes. */
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const LINE_ENDS = [LINE_FEED, CARRIAGE_RETURN];
const QUOTE = 34;

/** Ends with the number of cells that it should have, and may all the same have lost a part of the last. */
const IN_DOUBT =
  'may be cut off: the feed ends here without a line break, so the row was not taken; end the feed with one';

/** The names of a feed's columns, checked by the format. Throws a FeedFault that says which are missing. */
export type CheckHeader = (columns: readonly string[]) => void;

export interface CsvReading {
  delimiter: string;
  checkHeader: CheckHeader;
  /** Whether a column means anything to the format. */
  isRead: (column: string) => boolean;
}

/**
 * Reads a CSV file with a header row, in batches. A row that is no CSV, or has more or fewer cells than the
 * header, is given as unreadable, and reading goes on with the next line. A quote that never closes ends it:
 * what comes behind it cannot be told; so does a header that is no CSV, and a last row that breaks off. A last row
 * of which nobody can know whether it breaks off in its last cell is given as unreadable.
 */
export async function* readCsvRows(
  bytes: FeedBytes,
  { delimiter, checkHeader, isRead }: CsvReading,
): AsyncGenerator<RawRow[]> {
  let rows: RawRow[] = [];
  let columns: readonly string[] | null = null;
  const lines = lineCounter();
  let fault: FeedFault | null = null;
  /** The line of the latest row with fewer cells than the header. */
  let shortRow: number | null = null;
  let lastByte = 0;
  /** Whether the header ends with both characters; null: its end has not come yet. */
  let hasPairs: boolean | null = null;
  const ends = lastColumn();
  let latest: { record: readonly string[]; line: number } | null = null;

  function takeRecord(record: readonly string[], begins: number): void {
    if (columns === null) {
      columns = record.map((name) => name.trim());
      checkHeader(columns);
    } else {
      if (latest !== null) ends.add(latest.record.at(-1) ?? '');
      latest = { record, line: begins };
      rows.push(toRow(columns, record, begins));
    }
  }

  /** What is wrong with the file's last row, which no line break ends; null where it is whole. */
  function troubleAtEnd(names: readonly string[]): Problem | null {
    const last = rows.at(-1);
    if (last !== undefined && last.line === shortRow) throw cutOffFeed(last.line);
    if (latest === null || last?.line !== latest.line) return null;
    const field = names.at(-1) ?? '';
    const value = latest.record.at(-1) ?? '';
    const verdict = ends.judge(value, lastByte === QUOTE);
    if (verdict === 'cut off') throw cutOffFeed(latest.line);
    return verdict === 'whole' || !isRead(field) ? null : { field, value, reason: IN_DOUBT };
  }

  const parser = new Parser({
    delimiter,
    bom: true,
    // All three, or the first one met would be the only one.
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: LONGEST_RECORD,
    on_record: (record: string[], info) => {
      // What is thrown here, the parser would take for a fault of the record's.
      try {
        takeRecord(record, lines.next(info.lines, info.empty_lines, record) ?? 0);
      } catch (error) {
        fault ??=
          error instanceof FeedFault ? error : new FeedFault('The feed cannot be read', { cause: error });
      }
      return null;
    },
    on_skip: (error) => {
      if (error === undefined) return undefined;
      const record: string[] = Array.isArray(error.record) ? error.record : [];
      const begins = lines.next(Number(error.lines), Number(error.empty_lines), record);
      const trouble = troubleOf(error);
      if (trouble === null) fault ??= endlessQuote(begins ?? Number(error.lines));
      else if (columns === null) fault ??= brokenHeader(begins ?? Number(error.lines));
      else if (begins !== null) {
        if (record.length < columns.length && (record.length > 1 || record[0]?.trim() !== ''))
          shortRow = begins;
        rows.push({ kind: 'unreadable', line: begins, problem: { field: '', value: '', reason: trouble } });
      }
      return undefined;
    },
  });
  const write = promisify((chunk: Uint8Array, done: (error?: Error | null) => void) =>
    parser.write(chunk, done),
  );
  parser.resume();

  for await (const chunk of bytes) {
    hasPairs ??= endsWithPair(chunk, lastByte);
    lastByte = chunk.at(-1) ?? lastByte;
    await write(chunk);
    if (fault !== null) throw fault;
    const batch = rows;
    rows = [];
    yield batch;
  }
  const ended = once(parser, 'end');
  parser.end();
  await ended;
  if (fault !== null) throw fault;
  if (columns === null)
    throw new FeedFault('The feed is empty: it has not even a row with the names of its columns.');
  if (hasPairs === true && lastByte === CARRIAGE_RETURN) throw cutOffFeed(rows.at(-1)?.line ?? 1);
  if (!LINE_ENDS.includes(lastByte)) {
    const problem = troubleAtEnd(columns);
    const last = problem === null ? undefined : rows.pop();
    if (problem !== null && last !== undefined) rows.push({ kind: 'unreadable', line: last.line, problem });
  }
  yield rows;
}

/** Whether the first line feed stands behind a carriage return; null where there is none. */
function endsWithPair(chunk: Uint8Array, byteBefore: number): boolean | null {
  const at = chunk.indexOf(LINE_FEED);
  return at < 0 ? null : (at === 0 ? byteBefore : chunk[at - 1]) === CARRIAGE_RETURN;
}

function toRow(columns: readonly string[], record: readonly string[], line: number): RawRow {
  const fields: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) {
    const cell = record[index];
    if (cell !== undefined && cell !== '') fields[column] = cell;
  }
  return { kind: 'row', line, fields };
}

/** Tells on which line of the file each record begins, from what the parser has counted at its end. */
function lineCounter() {
  let next = 1;
  let blank = 0;
  // The parser takes a line break of two characters inside a cell for two.
  let countedTwice = 0;
  return {
    /** null: a second word about a record that has been told of. */
    next(endLine: number, blankLines: number, record: readonly unknown[]): number | null {
      if (endLine - countedTwice < next) return null;
      const begins = next + blankLines - blank;
      blank = blankLines;
      countedTwice += pairsIn(record);
      next = endLine - countedTwice + 1;
      return begins;
    },
  };
}

/** Line breaks of two characters inside the cells. */
function pairsIn(record: readonly unknown[]): number {
  return record.reduce<number>(
    (pairs, cell) => pairs + (typeof cell === 'string' ? cell.split('\r\n').length - 1 : 0),
    0,
  );
}

/** In words; null where nothing behind it can be read. */
function troubleOf({ code }: CsvError): string | null {
  if (code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE') return null;
  if (code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH') return 'has more or fewer cells than the header';
  return 'has a quote where none can stand';
}

function brokenHeader(line: number): FeedFault {
  return new FeedFault(
    `Line ${line}: the header, with the names of the columns, has a quote where none can stand: mend it, or say in the mapping what stands between the columns.`,
  );
}

function endlessQuote(line: number): FeedFault {
  return new FeedFault(
    `Line ${line}: the row that begins here has a quote that is not closed, or is longer than ${LONGEST_RECORD} bytes. What comes behind it cannot be told, so nothing was taken: mend that row and try again.`,
  );
}
