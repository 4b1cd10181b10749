import { firstDayOfMonth, monthOfDay } from '../../../domain/month.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { decodeBlock } from '../block-cursor.ts';
import { BLOCK_KEY, type BlockKey } from '../block-key.ts';
import { OFFER, type OfferKey } from '../offer-columns.ts';
import { type BlockBytes, compareCells, type PriceBlock } from '../price-block.ts';
import { type BlockDay, type BlockOffer, blockDaySource } from './block-day-source.ts';
import { blockOfOffers } from './block-of-offers.ts';
import { blockWriter } from './block-writer.ts';

/** Keeps the price blocks equal to the offers, inside the transactions that write offers. */
export interface PriceBlockTable {
  /** Call it after these offers were written or removed. Keys are in order, so that neighbours share a block. */
  update(keys: Iterable<readonly [...key: OfferKey, ...values: unknown[]]>): void;
  /** Removes every departure before `day`. */
  removeBefore(day: number): void;
  /** Removes a provider's offers. */
  removeProvider(provider: number): void;
  clear(): void;
}

/** Days of blocks that are read and written together, which bounds the memory. */
const DAYS_AT_ONCE = 5_000;

/** Blocks that are changed together. */
const BLOCKS_AT_ONCE = 1_000;

export function priceBlockTable(database: SqlDatabase): PriceBlockTable {
  const source = blockDaySource(database);
  const writer = blockWriter(database);
  const keyColumns = BLOCK_KEY.join(', ');
  const firstBlocks = database.prepare(
    `select ${keyColumns}, cells from price_block order by ${keyColumns} limit ${BLOCKS_AT_ONCE}`,
  );
  const nextBlocks = database.prepare(
    `select ${keyColumns}, cells from price_block where (${keyColumns}) > (${BLOCK_KEY.map(() => '?').join(', ')})
      order by ${keyColumns} limit ${BLOCKS_AT_ONCE}`,
  );
  const removeMonths = database.prepare('delete from price_block where month < ?');

  /** Replaces days of blocks by what the offers have on them. */
  function refresh(days: readonly BlockDay[]): void {
    const offers = source.offersOf(days);
    const byBlock = Map.groupBy(days.entries(), ([, { block }]) => block.join());
    const changes = [...byBlock.values()].flatMap((entries) => {
      const block = entries[0]?.[1].block;
      return block === undefined ? [] : [{ block, entries }];
    });
    const held = source.blocksOf(changes.map(({ block }) => block));
    for (const [nth, { block, entries }] of changes.entries()) {
      const bytes = held[nth] ?? null;
      const added = entries.flatMap(([at, { day }]): (readonly [number, BlockOffer])[] =>
        (offers[at] ?? []).map((offer) => [day, offer]),
      );
      if (bytes === null && added.length === 0) continue;
      const renewed = blockOfOffers(block, added);
      if (bytes === null) writer.put(block, renewed);
      else {
        const first = firstDayOfMonth(block[2]);
        const changed = new Set(entries.map(([, { day }]) => day - first));
        writer.put(block, united(withoutDays(decodeBlock(bytes), changed), renewed));
      }
    }
    writer.flush();
  }

  /** Changes every block for which `change` returns another one. */
  function changeEach(change: (block: PriceBlock, key: BlockKey) => PriceBlock | null): void {
    let rows = firstBlocks.rows();
    while (rows.length > 0) {
      let last: BlockKey | null = null;
      for (const row of rows) {
        last = row.slice(0, BLOCK_KEY.length) as unknown as BlockKey;
        const changed = change(decodeBlock(row[BLOCK_KEY.length] as BlockBytes), last);
        if (changed !== null) writer.put(last, changed);
      }
      writer.flush();
      rows = last === null || rows.length < BLOCKS_AT_ONCE ? [] : nextBlocks.rows(...last);
    }
  }

  return {
    update(keys) {
      let days: BlockDay[] = [];
      for (const day of blockDaysOf(keys)) {
        days.push(day);
        if (days.length < DAYS_AT_ONCE) continue;
        refresh(days);
        days = [];
      }
      if (days.length > 0) refresh(days);
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

/** The distinct days of blocks that offers belong to. */
function* blockDaysOf(
  keys: Iterable<readonly [...key: OfferKey, ...values: unknown[]]>,
): Generator<BlockDay> {
  const seen = new Set<string>();
  let last: readonly unknown[] | null = null;
  for (const key of keys) {
    if (last !== null && isSameBlockDay(last, key)) continue;
    last = key;
    const [day, nights, party, country, region, resort, airport] = key;
    const name = `${day},${nights},${party},${country},${region},${resort},${airport}`;
    if (seen.has(name)) continue;
    seen.add(name);
    yield { block: [party, nights, monthOfDay(day), airport, country, region, resort], day };
  }
}

function isSameBlockDay(one: readonly unknown[], other: readonly unknown[]): boolean {
  for (let column = OFFER.airport; column >= 0; column -= 1) if (one[column] !== other[column]) return false;
  return true;
}
