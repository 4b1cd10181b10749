import { csvRecordReader } from './csv-records.ts';
import { lastColumn } from './last-cell.ts';
import { cutOffFeed, type FeedBytes, FeedFault, type FlatRow, type Problem, type RawRow } from './raw-row.ts';

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

/** Reads the fields of a row's cells. */
export type ReadCells = (cells: readonly string[]) => FlatRow;

export interface CsvReading {
  delimiter: string;
  /** Throws a FeedFault that names the missing columns. */
  readHeader: (columns: readonly string[]) => ReadCells;
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
  { delimiter, readHeader, isRead }: CsvReading,
): AsyncGenerator<RawRow[]> {
  let rows: RawRow[] = [];
  let columns: readonly string[] | null = null;
  let readCells: ReadCells | null = null;
  /** The line of the latest row with fewer cells than the header. */
  let shortRow: number | null = null;
  let lastByte = 0;
  /** Whether the header ends with both characters; null: its end has not come yet. */
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
        refuse(record, line, 'has a quote where none can stand');
      },
    },
  );

  function refuse(record: readonly string[], line: number, reason: string): void {
    const isShort = columns !== null && record.length < columns.length;
    if (isShort && (record.length > 1 || record[0]?.trim() !== '')) shortRow = line;
    rows.push({ kind: 'unreadable', line, problem: { field: '', value: '', reason } });
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
