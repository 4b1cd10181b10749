import { firstDayOfMonth, monthOfDay } from '../../../domain/month.ts';
import { batchesOf } from '../../lib/batches.ts';
import type { SqlDatabase, SqlValue } from '../../storage/sql-database.ts';
import { decodeBlock } from '../block-cursor.ts';
import { BLOCK_KEY, type BlockKey } from '../block-key.ts';
import type { OfferKey } from '../offer-columns.ts';
import { type BlockBytes, compareCells, type PriceBlock } from '../price-block.ts';
import { type BlockDays, blockDaySource } from './block-day-source.ts';
import { blockOfOffers } from './block-of-offers.ts';
import { blockWriter } from './block-writer.ts';
import { notedDays } from './noted-days.ts';

/** Keeps the price blocks equal to the offers, inside the transactions that write offers. */
export interface PriceBlockTable {
  /**
   * Marks the blocks of written or removed offers as changed. Pass offers of one block together. `write`
   * updates the blocks, perhaps earlier.
   */
  note(keys: Iterable<readonly [...key: OfferKey, ...values: unknown[]]>): void;
  /** Writes the marked blocks. Call it before the transaction ends. */
  write(): void;
  removeBefore(day: number): void;
  removeProvider(provider: number): void;
  clear(): void;
}

/**
 * Changed days collected before blocks are written: offers come by departure day, so waiting writes a block
 * once for all its days. They take 8 MB.
 */
const MAX_NOTED = 250_000;

/** Keys collected before counting the days. */
const KEYS_AT_ONCE = 10_000;

/** Blocks read and written together. */
const BLOCKS_AT_ONCE = 1_000;

export function priceBlockTable(database: SqlDatabase): PriceBlockTable {
  const source = blockDaySource(database);
  const writer = blockWriter(database);
  const noted = notedDays(MAX_NOTED);
  const allBlocks = blockPages(database);
  // The month is the third column of the key: with the first two, it is a look-up instead of a search.
  const blocksOfMonth = blockPages(
    database,
    'party in (select id from party) and nights in (select nights from stay) and month = ?',
  );
  const removeMonths = database.prepare('delete from price_block where month < ?');

  /** Locks, because blocks are read and written back while other importers may write their packages. */
  function lockBlocks(): void {
    database.lock('price blocks');
    database.waitForCommits();
  }

  /** Replaces days of blocks with what the offers have on them. */
  function replace(noted: readonly BlockDays[]): void {
    lockBlocks();
    const stored = source.blocksOf(noted.map(({ block }) => block));
    const replaced = noted.map((one, nth) => ({ ...one, bytes: stored[nth] ?? null }));
    for (const [{ block, days, bytes }, offers] of source.offersOf(replaced)) {
      const renewed = blockOfOffers(block, offers);
      if (bytes !== null) {
        const first = firstDayOfMonth(block[2]);
        const others = withoutDays(decodeBlock(bytes, block), new Set(days.map((day) => day - first)));
        writer.put(block, united(others, renewed));
      } else if (renewed.cells.length > 0) writer.put(block, renewed);
    }
    writer.flush();
  }

  /** Writes the blocks for which `change` returns another one. */
  function changeEach(pages: BlockPages, change: (block: PriceBlock) => PriceBlock | null): void {
    for (const page of pages) {
      for (const { key, bytes } of page) {
        const changed = change(decodeBlock(bytes, key));
        if (changed !== null) writer.put(key, changed);
      }
      writer.flush();
    }
  }

  return {
    note(keys) {
      // An import marks the days of millions of packages.
      for (const some of batchesOf(keys, KEYS_AT_ONCE)) {
        noted.add(some);
        if (noted.isFull()) for (const blocks of noted.take(BLOCKS_AT_ONCE)) replace(blocks);
      }
    },
    write() {
      for (const blocks of noted.take(BLOCKS_AT_ONCE)) replace(blocks);
    },
    removeBefore(day) {
      const month = monthOfDay(day);
      lockBlocks();
      removeMonths.run(month);
      const passed = new Set(Array.from({ length: day - firstDayOfMonth(month) }, (_, index) => index));
      if (passed.size === 0) return;
      changeEach(blocksOfMonth(month), (block) =>
        block.cells.some((cell) => passed.has(cell.day)) ? withoutDays(block, passed) : null,
      );
    },
    removeProvider(provider) {
      lockBlocks();
      changeEach(allBlocks(), (block) => {
        const cells = block.cells.filter((cell) => cell.provider !== provider);
        if (cells.length === block.cells.length) return null;
        const days = new Set(cells.map(({ day }) => day));
        return { cells, expiries: new Map([...block.expiries].filter(([day]) => days.has(day))) };
      });
    },
    clear: () => database.exec('delete from price_block'),
  };
}

/** Blocks with their keys, in pages. A page's blocks may be written before the next page is read. */
type BlockPages = Iterable<{ key: BlockKey; bytes: BlockBytes }[]>;

/** Reads the blocks for which an SQL condition holds. */
function blockPages(database: SqlDatabase, condition = 'true'): (...values: SqlValue[]) => BlockPages {
  const key = BLOCK_KEY.join(', ');
  const find = database.prepare(
    `select ${key}, cells from price_block where ${condition} and (${key}) > (${BLOCK_KEY.map(() => '?').join(', ')})
      order by ${key} limit ${BLOCKS_AT_ONCE}`,
  );
  return function* (...values) {
    let last: readonly number[] = BLOCK_KEY.map(() => -1);
    for (;;) {
      const page = find.rows(...values, ...last).map((row) => ({
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

/** Merges two blocks with different days. */
function united(one: PriceBlock, other: PriceBlock): PriceBlock {
  return {
    cells: [...one.cells, ...other.cells].sort(compareCells),
    expiries: new Map([...one.expiries, ...other.expiries]),
  };
}
