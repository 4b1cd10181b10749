import { readCsvRows } from '../csv-rows.ts';
import { type FeedBytes, FeedFault, type RawRow } from '../raw-row.ts';
import { columnsOf, type FeedMapping } from './mapping.ts';
import { rowMapper } from './row-mapper.ts';

/** Reads a CSV file by a mapping. Each mapped column must occur once. */
export function readMappedCsv(bytes: FeedBytes, mapping: FeedMapping): AsyncGenerator<RawRow[]> {
  return readCsvRows(bytes, {
    delimiter: mapping.delimiter,
    readHeader(columns) {
      for (const column of columnsOf(mapping)) {
        const times = columns.filter((name) => name === column).length;
        if (times === 1) continue;
        throw new FeedFault(
          times > 1
            ? `The header has the column ${column} ${times} times, and the mapping reads it.`
            : `The feed has no column ${column}, which the mapping reads. It has: ${columns.join(', ').slice(0, 1_000)}.`,
        );
      }
      return rowMapper<readonly string[]>(mapping, (column) => {
        const index = columns.indexOf(column);
        return (cells) => cells[index];
      });
    },
  });
}
