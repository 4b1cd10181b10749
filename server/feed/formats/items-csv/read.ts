import { readCsvRows } from '../csv-rows.ts';
import { NEEDED_FIELDS } from '../flat-item.ts';
import { cellFlattener, JSON_FIELDS } from '../flatten-item.ts';
import { type FeedBytes, FeedFault, type RawRow } from '../raw-row.ts';

/** Required fields that may be in the Hotel column instead of their own. */
const IN_HOTEL: readonly string[] = ['HotelName'];

/** Reads a CSV file whose columns are the item's fields; Hotel, Flight and AdditionalData are JSON text. */
export function readItemsCsv(bytes: FeedBytes): AsyncGenerator<RawRow[]> {
  return readCsvRows(bytes, {
    delimiter: ',',
    readHeader(columns) {
      checkHeader(columns);
      const flatten = cellFlattener(columns);
      return (cells) => [flatten(cells)];
    },
  });
}

function checkHeader(columns: readonly string[]): void {
  const twice = columns.find((name, index) => name !== '' && columns.indexOf(name) !== index);
  if (twice !== undefined) throw new FeedFault(`The header has the column ${twice} twice.`);
  const [only = ''] = columns;
  if (columns.length === 1 && /[;\t|]/.test(only)) {
    throw new FeedFault('The columns are not separated by commas, which items-csv requires.');
  }
  const present = new Set(columns);
  const missing = NEEDED_FIELDS.filter(
    (field) => !present.has(field) && !(IN_HOTEL.includes(field) && present.has(JSON_FIELDS[0])),
  );
  if (missing.length > 0) {
    throw new FeedFault(
      `The header has no column named ${missing.join(', ')}: see docs/contracts/feed-columns.md, or import it with a mapping.`,
    );
  }
}
