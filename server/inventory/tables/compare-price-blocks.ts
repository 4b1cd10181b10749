import type { SqlSession, SqlValue } from '../../storage/sql-database.ts';
import { BLOCK_KEY } from '../block-key.ts';
import { BLOCK_VALUE_COLUMNS, blockValues } from './block-writer.ts';
import { blocksOfOffers } from './blocks-of-offers.ts';

/** How a month's stored price blocks differ from those of its offers. */
export interface ComparedBlocks {
  /** Blocks that are stored or should be. */
  blocks: number;
  /** Blocks that are missing, superfluous or different. */
  wrong: number;
}

/** Reads stored blocks and offers in key order, one at a time, inside the caller's transaction. */
export async function comparePriceBlocks(tx: SqlSession, month: number): Promise<ComparedBlocks> {
  const key = BLOCK_KEY.join(', ');
  const stored = tx
    .prepare(
      `select ${key}, ${BLOCK_VALUE_COLUMNS.join(', ')} from price_block where month = ? order by ${key}`,
    )
    .iterate(month)
    [Symbol.asyncIterator]();
  const compared: ComparedBlocks = { blocks: 0, wrong: 0 };
  const count = (isWrong: boolean) => {
    compared.blocks += 1;
    if (isWrong) compared.wrong += 1;
  };
  let row = await stored.next();
  for await (const [madeKey, block] of blocksOfOffers(tx, month)) {
    for (; row.done !== true && compareKeys(row.value, madeKey) < 0; row = await stored.next()) count(true);
    if (row.done !== true && compareKeys(row.value, madeKey) === 0) {
      count(!isSame(row.value.slice(BLOCK_KEY.length), blockValues(block)));
      row = await stored.next();
    } else count(true);
  }
  for (; row.done !== true; row = await stored.next()) count(true);
  return compared;
}

function compareKeys(row: readonly SqlValue[], key: readonly number[]): number {
  const at = key.findIndex((part, nth) => part !== row[nth]);
  return at < 0 ? 0 : Number(row[at]) - Number(key[at]);
}

function isSame(stored: readonly SqlValue[], made: readonly SqlValue[]): boolean {
  return stored.every((value, nth) => {
    const other = made[nth];
    if (value instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(value, other) === 0;
    return value === other;
  });
}
