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
export interface BlockWriter {
  /** Writes a block; deletes it if it has no cells. */
  put(key: BlockKey, block: PriceBlock): Promise<void>;
  /** Writes the blocks of the last, incomplete batch. */
  flush(): Promise<void>;
}

export async function blockWriter(tx: SqlSession): Promise<BlockWriter> {
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

  async function flush(): Promise<void> {
    await rows.insert(waiting);
    waiting = [];
  }

  return {
    async put(key, block) {
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
