import { firstDayOfMonth, monthOfDay } from '../../../domain/month.ts';
import { asyncBatchesOf } from '../../lib/batches.ts';
import type { SqlTransaction, SqlValue } from '../../storage/sql-database.ts';
import { decodeBlock } from '../block-cursor.ts';
import { BLOCK_KEY, type BlockKey } from '../block-key.ts';
import type { OfferKey } from '../offer-columns.ts';
import { type BlockBytes, compareCells, type PriceBlock } from '../price-block.ts';
import { type BlockDays, blockDaySource } from './block-day-source.ts';
import { blockWriter } from './block-writer.ts';
import { blockOfOffers } from './blocks-of-offers.ts';
import { notedDays } from './noted-days.ts';

type NotedKey = readonly [...key: OfferKey, ...values: unknown[]];

/**
 * How many changed days are collected before their blocks are written. Offers come by departure day, so
 * collecting avoids writing a block once per day. The days take 8 MB.
 */
const MAX_NOTED = 250_000;

/** Keys added between two checks of the number of days. */
const KEYS_AT_ONCE = 10_000;

/** Blocks read and written by one statement. */
const BLOCKS_AT_ONCE = 1_000;

/** Keeps the price blocks up to date with the offers, inside the transactions that write offers. */
export async function priceBlockTable(tx: SqlTransaction) {
  const source = await blockDaySource(tx);
  const writer = await blockWriter(tx);
  const noted = notedDays(MAX_NOTED);
  const allBlocks = blockPages(tx);
  // With all parties and nights, the month is the third column of a key prefix, so this is a look-up, not a
  // scan.
  const blocksOfMonth = blockPages(
    tx,
    'party in (select id from party) and nights in (select nights from stay) and month = ?',
  );
  const removeMonths = tx.prepare('delete from price_block where month < ?');

  /** Locks the blocks before they are read and rewritten, because other importers may write the same ones. */
  async function lockBlocks(): Promise<void> {
    await tx.lock('price blocks');
    await tx.cluster?.waitForCommits();
  }

  /** Rebuilds the noted days of blocks from the offers. */
  async function replace(noted: readonly BlockDays[]): Promise<void> {
    await lockBlocks();
    const stored = await source.blocksOf(noted.map(({ block }) => block));
    const replaced = noted.map((one, nth) => ({ ...one, bytes: stored[nth] ?? null }));
    for await (const [{ block, days, bytes }, offers] of source.offersOf(replaced)) {
      const renewed = blockOfOffers(block, offers);
      if (bytes !== null) {
        const first = firstDayOfMonth(block[2]);
        const others = withoutDays(decodeBlock(bytes, block), new Set(days.map((day) => day - first)));
        await writer.put(block, united(others, renewed));
      } else if (renewed.cells.length > 0) await writer.put(block, renewed);
    }
    await writer.flush();
  }

  /** Writes the blocks for which `change` returns a new one. */
  async function changeEach(
    pages: BlockPages,
    change: (block: PriceBlock) => PriceBlock | null,
  ): Promise<void> {
    for await (const page of pages) {
      for (const { key, bytes } of page) {
        const changed = change(decodeBlock(bytes, key));
        if (changed !== null) await writer.put(key, changed);
      }
      await writer.flush();
    }
  }

  return {
    /**
     * Notes that the blocks of written or removed offers have changed. Pass offers of one block together.
     * Blocks are updated by `write`, or earlier if there are many.
     */
    async note(keys: Iterable<NotedKey> | AsyncIterable<NotedKey>): Promise<void> {
      // In batches, because an import notes the days of millions of packages.
      for await (const some of asyncBatchesOf(keys, KEYS_AT_ONCE)) {
        noted.add(some);
        if (noted.isFull()) for (const blocks of noted.take(BLOCKS_AT_ONCE)) await replace(blocks);
      }
    },
    /** Updates the noted blocks. Call it before the transaction ends. */
    async write(): Promise<void> {
      for (const blocks of noted.take(BLOCKS_AT_ONCE)) await replace(blocks);
    },
    async removeBefore(day: number): Promise<void> {
      const month = monthOfDay(day);
      await lockBlocks();
      await removeMonths.run(month);
      const passed = new Set(Array.from({ length: day - firstDayOfMonth(month) }, (_, index) => index));
      if (passed.size === 0) return;
      await changeEach(blocksOfMonth(month), (block) =>
        block.cells.some((cell) => passed.has(cell.day)) ? withoutDays(block, passed) : null,
      );
    },
    async removeProvider(provider: number): Promise<void> {
      await lockBlocks();
      await changeEach(allBlocks(), (block) => {
        const cells = block.cells.filter((cell) => cell.provider !== provider);
        if (cells.length === block.cells.length) return null;
        const days = new Set(cells.map(({ day }) => day));
        return { cells, expiries: new Map([...block.expiries].filter(([day]) => days.has(day))) };
      });
    },
    clear: () => tx.exec('delete from price_block'),
  };
}

/** Pages of blocks with their keys. A page's blocks may be rewritten before the next page is read. */
type BlockPages = AsyncIterable<{ key: BlockKey; bytes: BlockBytes }[]>;

/** Reads the blocks that satisfy an SQL condition. */
function blockPages(tx: SqlTransaction, condition = 'true'): (...values: SqlValue[]) => BlockPages {
  const key = BLOCK_KEY.join(', ');
  const find = tx.prepare(
    `select ${key}, cells from price_block where ${condition} and (${key}) > (${BLOCK_KEY.map(() => '?').join(', ')})
      order by ${key} limit ${BLOCKS_AT_ONCE}`,
  );
  return async function* (...values) {
    let last: readonly number[] = BLOCK_KEY.map(() => -1);
    for (;;) {
      const page = (await find.rows(...values, ...last)).map((row) => ({
        key: row.slice(0, BLOCK_KEY.length) as unknown as BlockKey,
        bytes: row[BLOCK_KEY.length] as BlockBytes,
      }));
      yield page;
      const { key: end } = page.at(-1) ?? {};
      if (end === undefined || page.length < BLOCKS_AT_ONCE) return;
      last = end;
    }
  };
}

function withoutDays({ cells, expiries }: PriceBlock, days: ReadonlySet<number>): PriceBlock {
  return {
    cells: cells.filter(({ day }) => !days.has(day)),
    expiries: new Map([...expiries].filter(([day]) => !days.has(day))),
  };
}

/** Merges two blocks that have no day in common. */
function united(one: PriceBlock, other: PriceBlock): PriceBlock {
  return {
    cells: [...one.cells, ...other.cells].sort(compareCells),
    expiries: new Map([...one.expiries, ...other.expiries]),
  };
}
