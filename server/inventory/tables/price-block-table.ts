import { firstDayOfMonth, monthOfDay } from '../../../domain/month.ts';
import { batchesOf } from '../../lib/batches.ts';
import { waitForPreparedCommits } from '../../storage/prepared-commits.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
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
   * Notes that these offers were written or removed, in any order of the months; neighbours should share a block. Their
   * blocks are written by `write` at the latest.
   */
  note(keys: Iterable<readonly [...key: OfferKey, ...values: unknown[]]>): void;
  /** Writes the blocks of the noted offers. Call it before the transaction ends. */
  write(): void;
  /** Removes every departure before `day`. */
  removeBefore(day: number): void;
  /** Removes a provider's offers. */
  removeProvider(provider: number): void;
  clear(): void;
}

/**
 * Days of blocks that are noted before they are written. Offers come by departure day, so a block that is written late is
 * written once for all its days; this many take 8 MB.
 */
const MOST_NOTED = 250_000;

/** Keys that are noted before the noted days are counted. */
const KEYS_AT_ONCE = 10_000;

/** Blocks that are read and written together. */
const BLOCKS_AT_ONCE = 1_000;

export function priceBlockTable(database: SqlDatabase): PriceBlockTable {
  const source = blockDaySource(database);
  const writer = blockWriter(database);
  const noted = notedDays(MOST_NOTED);
  const keyColumns = BLOCK_KEY.join(', ');
  const firstBlocks = database.prepare(
    `select ${keyColumns}, cells from price_block order by ${keyColumns} limit ${BLOCKS_AT_ONCE}`,
  );
  const nextBlocks = database.prepare(
    `select ${keyColumns}, cells from price_block where (${keyColumns}) > (${BLOCK_KEY.map(() => '?').join(', ')})
      order by ${keyColumns} limit ${BLOCKS_AT_ONCE}`,
  );
  const removeMonths = database.prepare('delete from price_block where month < ?');

  /** Blocks are read, changed and written back, and made of packages that another importer may just have written. */
  function takeTurn(): void {
    database.lock('price blocks');
    waitForPreparedCommits(database);
  }

  /** Replaces days of blocks by what the offers have on them. */
  function replace(noted: readonly BlockDays[]): void {
    takeTurn();
    const held = source.blocksOf(noted.map(({ block }) => block));
    const replaced = noted.map((one, nth) => ({ ...one, bytes: held[nth] ?? null }));
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

  /** Changes every block for which `change` returns another one. */
  function changeEach(change: (block: PriceBlock, key: BlockKey) => PriceBlock | null): void {
    takeTurn();
    let rows = firstBlocks.rows();
    while (rows.length > 0) {
      let last: BlockKey | null = null;
      for (const row of rows) {
        last = row.slice(0, BLOCK_KEY.length) as unknown as BlockKey;
        const changed = change(decodeBlock(row[BLOCK_KEY.length] as BlockBytes, last), last);
        if (changed !== null) writer.put(last, changed);
      }
      writer.flush();
      rows = last === null || rows.length < BLOCKS_AT_ONCE ? [] : nextBlocks.rows(...last);
    }
  }

  return {
    note(keys) {
      // An import notes the days of millions of packages at once.
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
      removeMonths.run(month);
      const passed = new Set(Array.from({ length: day - firstDayOfMonth(month) }, (_, index) => index));
      if (passed.size === 0) return;
      changeEach((block, key) => {
        const isChanged = key[2] === month && block.cells.some((cell) => passed.has(cell.day));
        return isChanged ? withoutDays(block, passed) : null;
      });
    },
    removeProvider(provider) {
      changeEach((block) => {
        const cells = block.cells.filter((cell) => cell.provider !== provider);
        if (cells.length === block.cells.length) return null;
        const days = new Set(cells.map(({ day }) => day));
        return { cells, expiries: new Map([...block.expiries].filter(([day]) => days.has(day))) };
      });
    },
    clear: () => database.exec('delete from price_block'),
  };
}

function withoutDays({ cells, expiries }: PriceBlock, days: ReadonlySet<number>): PriceBlock {
  return {
    cells: cells.filter(({ day }) => !days.has(day)),
    expiries: new Map([...expiries].filter(([day]) => !days.has(day))),
  };
}

/** Two blocks with different days as one. */
function united(one: PriceBlock, other: PriceBlock): PriceBlock {
  return {
    cells: [...one.cells, ...other.cells].sort(compareCells),
    expiries: new Map([...one.expiries, ...other.expiries]),
  };
}
