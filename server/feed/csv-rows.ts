import { csvRecordReader } from './csv-records.ts';
import { cutOffFeed, type FeedBytes, FeedFault, type RawRow } from './raw-row.ts';

/** A longer record has lost a closing quote. */
const LONGEST_RECORD = 1_048_576;

/** In bytes: a line feed and a carriage return. */
const LINE_ENDS = [10, 13];

/** The names of a feed's columns, checked by the format. Throws a FeedFault that says which are missing. */
export type CheckHeader = (columns: readonly string[]) => void;

/**
 * Reads a CSV file with a header row, in batches. A row that is no CSV, or has more or fewer cells than the
 * header, is given as unreadable, and reading goes on with the next line. A quote that never closes ends it:
 * what comes behind it cannot be told; so does a header that is no CSV, and a last row that breaks off.
 */
export async function* readCsvRows(
  bytes: FeedBytes,
  { delimiter, checkHeader }: { delimiter: string; checkHeader: CheckHeader },
): AsyncGenerator<RawRow[]> {
  let rows: RawRow[] = [];
  let columns: readonly string[] | null = null;
  /** The line of the latest row with fewer cells than the header. */
  let shortRow: number | null = null;
  let lastByte = 0;

  const reader = csvRecordReader(
    { delimiter, longest: LONGEST_RECORD },
    {
      onRecord(record, line) {
        if (columns === null) {
          columns = record.map((name) => name.trim());
          checkHeader(columns);
        } else if (record.length === columns.length) {
          rows.push(toRow(columns, record, line));
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
    if (isShort && record.some((cell) => cell.trim() !== '')) shortRow = line;
    rows.push({ kind: 'unreadable', line, problem: { field: '', value: '', reason } });
  }

  for await (const chunk of bytes) {
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
  const last = rows.at(-1);
  if (last !== undefined && last.line === shortRow && !LINE_ENDS.includes(lastByte))
    throw cutOffFeed(last.line);
  yield rows;
}

/** A blank cell stands as it is, so that all rows have one shape: what reads them takes it for none. */
function toRow(columns: readonly string[], record: readonly string[], line: number): RawRow {
  const fields: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index += 1) fields[columns[index] ?? ''] = record[index];
  return { kind: 'row', line, fields };
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
