import { rowInserter } from '../../storage/open/row-inserter.ts';
import type { SqlSession, SqlValue } from '../../storage/sql-database.ts';
import { encodeHotels } from '../block-hotels.ts';
import { BLOCK_KEY, type BlockKey } from '../block-key.ts';
import { earliestExpiry, encodeBlock, lowestOf, type PriceBlock } from '../price-block.ts';

export const BLOCK_VALUE_COLUMNS = ['lowest', 'lowest_day', 'expires_at', 'hotels', 'cells'] as const;

/** Blocks written by one statement. */
const BATCH = 1_000;

/** A block's stored values, in the order of `BLOCK_VALUE_COLUMNS`. */
export function blockValues(block: PriceBlock): SqlValue[] {
  const { price, day } = lowestOf(block);
  return [price, day, earliestExpiry(block), encodeHotels(block), encodeBlock(block)];
}

/** Writes price blocks in batches, inside the caller's transaction. */
export async function blockWriter(tx: SqlSession) {
  const rows = await rowInserter(tx, {
    table: 'price_block',
    columns: [...BLOCK_KEY, ...BLOCK_VALUE_COLUMNS],
    keys: BLOCK_KEY,
    update: BLOCK_VALUE_COLUMNS,
  });
  const remove = tx.prepare(
    `delete from price_block where ${BLOCK_KEY.map((column) => `${column} = ?`).join(' and ')}`,
  );
  let waiting: SqlValue[][] = [];

  /** Writes the blocks of the last, incomplete batch. */
  async function flush(): Promise<void> {
    await rows.insert(waiting);
    waiting = [];
  }

  return {
    /** Writes a block; deletes it if it has no cells. */
    async put(key: BlockKey, block: PriceBlock): Promise<void> {
      if (block.cells.length === 0) {
        await remove.run(...key);
        return;
      }
      waiting.push([...key, ...blockValues(block)]);
      if (waiting.length >= BATCH) await flush();
    },
    flush,
  };
}
