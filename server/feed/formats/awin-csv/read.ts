import { readCsvRows } from '../csv-rows.ts';
import { type FeedBytes, FeedFault, type RawRow } from '../raw-row.ts';
import type { FeedMapping } from './mapping.ts';
import { cellMapper } from './transform.ts';

/** Reads an affiliate network's CSV file. Each mapped column must occur once. */
export function readAwinCsv(bytes: FeedBytes, mapping: FeedMapping): AsyncGenerator<RawRow[]> {
  const { delimiter, fields } = mapping;
  const wanted = new Set(
    Object.values(fields).flatMap(({ column }) => (column === undefined ? [] : [column])),
  );
  return readCsvRows(bytes, {
    delimiter,
    readHeader(columns) {
      for (const column of wanted) {
        const times = columns.filter((name) => name === column).length;
        if (times === 1) continue;
        throw new FeedFault(
          times > 1
            ? `The header has the column ${column} ${times} times, and the mapping reads it.`
            : `The feed has no column ${column}, which the mapping reads. It has: ${columns.join(', ').slice(0, 1_000)}.`,
        );
      }
      return cellMapper(mapping, columns);
    },
  });
}
