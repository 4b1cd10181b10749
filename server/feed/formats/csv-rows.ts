import { csvRecordReader } from './csv-records.ts';
import { lastColumn } from './last-cell.ts';
import {
  cutOffFeed,
  type FeedBytes,
  FeedFault,
  type FlatRow,
  NO_PROBLEMS,
  type Problem,
  type RawRow,
} from './raw-row.ts';

/** A longer record must lack a closing quote. */
const LONGEST_RECORD = 1_048_576;

/** In bytes. */
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const LINE_ENDS = [LINE_FEED, CARRIAGE_RETURN];
const QUOTE = 34;

/** For a last row with the right number of cells whose last cell may be incomplete. */
const IN_DOUBT = 'may be cut off, because the feed does not end with a newline: the row was not imported';

/** Reads the fields of a row's cells. */
export type ReadCells = (cells: readonly string[]) => FlatRow;

export interface CsvReading {
  delimiter: string;
  /** Throws a FeedFault that names the missing columns. */
  readHeader: (columns: readonly string[]) => ReadCells;
  /** The item's fields that the format reads from a column. */
  fieldsIn: (column: string) => readonly string[];
}

/**
 * Reads a CSV file with a header row, in batches. A malformed row, or one with more or fewer cells than the header, is
 * unreadable; reading continues with the next line. Throws a FeedFault if a quote is never closed, the header is
 * malformed or the last row is cut off. A last row that may be cut off within its last cell is unreadable.
 */
export async function* readCsvRows(
  bytes: FeedBytes,
  { delimiter, readHeader, fieldsIn }: CsvReading,
): AsyncGenerator<RawRow[]> {
  let rows: RawRow[] = [];
  let columns: readonly string[] | null = null;
  let readCells: ReadCells | null = null;
  /** The line of the last row with fewer cells than the header. */
  let shortRow: number | null = null;
  let lastByte = 0;
  /** Whether the header ends with CR and LF; null if its end was not read yet. */
  let hasPairs: boolean | null = null;
  const ends = lastColumn();
  let latest: { record: readonly string[]; line: number } | null = null;

  const reader = csvRecordReader(
    { delimiter, longest: LONGEST_RECORD },
    {
      onRecord(record, line) {
        if (columns === null || readCells === null) {
          columns = record.map((name) => name.trim());
          readCells = readHeader(columns);
        } else if (record.length === columns.length) {
          if (latest !== null) ends.add(latest.record.at(-1) ?? '');
          latest = { record, line };
          const { fields, problems } = readCells(record);
          rows.push({ kind: 'row', line, fields, problems });
        } else {
          refuse(record, line, 'has more or fewer cells than the header');
        }
      },
      onBroken(record, line) {
        if (columns === null) throw brokenHeader(line);
        refuse(record, line, 'has a misplaced quote');
      },
    },
  );

  function refuse(record: readonly string[], line: number, reason: string): void {
    const isShort = columns !== null && record.length < columns.length;
    if (isShort && (record.length > 1 || record[0]?.trim() !== '')) shortRow = line;
    rows.push({ kind: 'unreadable', line, problems: [{ field: '', value: '', reason }] });
  }

  /** The problems of a last row without a newline; none if it is complete. */
  function troubleAtEnd(names: readonly string[]): readonly Problem[] {
    const last = rows.at(-1);
    if (last !== undefined && last.line === shortRow) throw cutOffFeed(last.line);
    if (latest === null || last?.line !== latest.line) return NO_PROBLEMS;
    const value = latest.record.at(-1) ?? '';
    const verdict = ends.judge(value, lastByte === QUOTE);
    if (verdict === 'cut off') throw cutOffFeed(latest.line);
    if (verdict === 'whole') return NO_PROBLEMS;
    return fieldsIn(names.at(-1) ?? '').map((field) => ({ field, value, reason: IN_DOUBT }));
  }

  for await (const chunk of bytes) {
    hasPairs ??= endsWithPair(chunk, lastByte);
    lastByte = chunk.at(-1) ?? lastByte;
    const endless = reader.write(chunk);
    if (endless !== null) throw endlessQuote(endless.line);
    const batch = rows;
    rows = [];
    yield batch;
  }
  const endless = reader.end();
  if (endless !== null) throw endlessQuote(endless.line);
  if (columns === null) throw new FeedFault('The feed is empty: it has no header row.');
  if (hasPairs === true && lastByte === CARRIAGE_RETURN) throw cutOffFeed(rows.at(-1)?.line ?? 1);
  if (!LINE_ENDS.includes(lastByte)) {
    const problems = troubleAtEnd(columns);
    const last = problems.length === 0 ? undefined : rows.pop();
    if (last !== undefined) rows.push({ kind: 'unreadable', line: last.line, problems });
  }
  yield rows;
}

/** Whether the first line feed follows a carriage return; null without a line feed. */
function endsWithPair(chunk: Uint8Array, byteBefore: number): boolean | null {
  const at = chunk.indexOf(LINE_FEED);
  return at < 0 ? null : (at === 0 ? byteBefore : chunk[at - 1]) === CARRIAGE_RETURN;
}

function brokenHeader(line: number): FeedFault {
  return new FeedFault(
    `Line ${line}: the header has a misplaced quote: correct it, or set the delimiter in the mapping.`,
  );
}

function endlessQuote(line: number): FeedFault {
  return new FeedFault(
    `Line ${line}: the row that begins here has an unclosed quote or is longer than ${LONGEST_RECORD} bytes. The rest cannot be parsed, so nothing was imported: correct that row and try again.`,
  );
}
