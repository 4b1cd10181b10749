import { rowInserter } from '../../storage/open/row-inserter.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';

/**
 * Locks months of price blocks until the transaction ends, inside a transaction that holds the lock of the price blocks.
 * Blocks are read, changed and written back. On Citus, that lock is free as soon as the coordinator has committed, but a
 * worker that was lost in that moment commits its part after its return. Its rows of `price_block_turn` are locked until
 * then, so nobody reads a block from before. The embedded store has one writer.
 */
export function blockMonths(database: SqlDatabase): { lock(months: Iterable<number>): void } {
  if (database.engine === 'sqlite') return { lock() {} };
  const turns = rowInserter(database, {
    table: 'price_block_turn',
    columns: ['month', 'turn'],
    keys: ['month'],
    update: ['turn'],
  });
  return {
    lock(months) {
      const rows = [...new Set(months)].map((month) => [month, 0]);
      if (rows.length > 0) turns.insert(rows);
    },
  };
}
