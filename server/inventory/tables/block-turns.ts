import { rowInserter } from '../../storage/open/row-inserter.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';

/**
 * Locks months of price blocks and the departure days that are changed in them until the transaction ends, inside a
 * transaction that holds the lock of the price blocks. Blocks are made from the offers of their days, read, changed and
 * written back. On Citus, that lock is free as soon as the coordinator has committed, but a worker that was lost in that
 * moment commits its part after its return. Its rows of `price_block_turn` are locked until then, so nobody reads a block
 * or offers from before. A row of a day is on the worker of the day's offers, which need not be that of the month's blocks.
 * The embedded store has one writer.
 */
export function blockTurns(database: SqlDatabase): {
  take(turns: { months: Iterable<number>; days: Iterable<number> }): void;
} {
  if (database.engine === 'sqlite') return { take() {} };
  const turns = rowInserter(database, {
    table: 'price_block_turn',
    columns: ['month', 'turn'],
    keys: ['month'],
    update: ['turn'],
  });
  return {
    take({ months, days }) {
      // Both count from 1970, so that no month of this age has the number of a day.
      const rows = [...new Set([...months, ...days])].map((number) => [number, 0]);
      if (rows.length > 0) turns.insert(rows);
    },
  };
}
