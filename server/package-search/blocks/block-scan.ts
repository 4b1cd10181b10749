import { firstDayOfMonth, monthOfDay } from '../../../domain/month.ts';
import { BlockCursor } from '../../inventory/block-cursor.ts';
import { type HotelBytes, HotelCursor } from '../../inventory/block-hotels.ts';
import { BLOCK_KEY, type BlockKey } from '../../inventory/block-key.ts';
import { type BlockBytes, type DayExpiry, encodeBlock, saleOfDay } from '../../inventory/price-block.ts';
import type { BlockDay } from '../../inventory/tables/block-day-source.ts';
import { blockOfOffers } from '../../inventory/tables/blocks-of-offers.ts';
import { batchesOf } from '../../lib/batches.ts';
import { numbersBetween } from '../../lib/numbers-between.ts';
import type { SqlValue } from '../../storage/sql-database.ts';
import { type Conditions, listConditions, placeLists } from '../query/offer-conditions.ts';
import type { OfferFilters } from '../query/package-repository.ts';
import type { Departures, SearchEngine } from '../query/search-engine.ts';

/** A scan's visitor; `days` is a bitmap of matching days. */
export interface BlockVisitor {
  /**
   * Called with the cursor at each entry that has matching offers. Call the cursor's `read` before using more
   * than the entry's hotel and lowest price.
   */
  add(cursor: BlockCursor, days: number, block: BlockKey): void;
  /** Whether a block can matter, given that none of its prices is below `lowest`. If omitted, all can. */
  wants?(block: BlockKey, days: number, lowest: number): boolean;
}

/** For how many days offers are read together. */
const DAYS_AT_ONCE = 1_000;

/**
 * Visits the prices of all matching offers, by price block rather than day. If only some of a day's offers
 * have expired, reads that day from the offers. Reads a month at a time, to bound memory.
 */
export async function scanBlocks(
  engine: SearchEngine,
  query: OfferFilters,
  { days, stays }: Departures,
  visitor: BlockVisitor,
): Promise<void> {
  const visits = blockVisits(engine, query, visitor);
  for (const month of monthsOf(days)) await scanMonth(engine, query, month, stays, visits);
}

async function scanMonth(
  engine: SearchEngine,
  query: OfferFilters,
  month: number,
  stays: Departures['stays'],
  visits: BlockVisits,
): Promise<void> {
  const { sql, values } = blockConditions(engine, query, [month], stays);
  const rows = await engine.rows(
    `select ${BLOCK_KEY.join(', ')}, cells from price_block where ${sql}`,
    values,
  );
  await engine.each(rows, (row) =>
    visits.visit(row as unknown as BlockKey, row[BLOCK_KEY.length] as BlockBytes),
  );
  await visits.visitMixed();
}

/** A visitor of each hotel's lowest price. */
export interface HotelVisitor extends BlockVisitor {
  /** Called for each hotel in a block, if all of the block's offers match. */
  addHotel(cursor: HotelCursor, block: BlockKey): void;
}

/** Like `scanBlocks`, but calls `addHotel`, without reading entries, for blocks known to match entirely. */
export function scanHotels(
  engine: SearchEngine,
  query: OfferFilters,
  departures: Departures,
  visitor: HotelVisitor,
): Promise<void> {
  const cursor = new HotelCursor();
  return scanWhole(engine, query, departures, visitor, ['hotels'], (block, [hotels]) => {
    cursor.open(hotels as HotelBytes, block);
    while (cursor.next()) visitor.addHotel(cursor, block);
  });
}

/** A visitor of each block's lowest price. */
export interface CheapestVisitor extends BlockVisitor {
  /** Called for each block whose offers all match, with its lowest price and the first day with it. */
  addLowest(block: BlockKey, price: number, day: number): void;
}

/** Like `scanBlocks`, but calls `addLowest`, without reading entries, for blocks known to match entirely. */
export function scanCheapestBlocks(
  engine: SearchEngine,
  query: OfferFilters,
  departures: Departures,
  visitor: CheapestVisitor,
): Promise<void> {
  return scanWhole(engine, query, departures, visitor, ['lowest', 'lowest_day'], (block, [lowest, day]) =>
    visitor.addLowest(block, Number(lowest), firstDayOfMonth(block[2]) + Number(day)),
  );
}

/** If all offers of a block match, passes some of its columns to `take`; visits the other blocks. */
async function scanWhole(
  engine: SearchEngine,
  query: OfferFilters,
  departures: Departures,
  visitor: BlockVisitor,
  columns: readonly string[],
  take: (block: BlockKey, values: readonly SqlValue[]) => void,
): Promise<void> {
  // A filter may exclude the packages with the lowest prices.
  if (entryFilter(query) !== null) return scanBlocks(engine, query, departures, visitor);
  const visits = blockVisits(engine, query, visitor);
  const { days, stays } = departures;
  for (const month of monthsOf(days)) {
    if (!isInWindow(query, month)) {
      await scanMonth(engine, query, month, stays, visits);
      continue;
    }
    const { sql, values } = blockConditions(engine, query, [month], stays);
    const rows = await engine.rows(
      `select ${[...BLOCK_KEY, 'expires_at', ...columns].join(', ')} from price_block where ${sql}`,
      values,
    );
    const partial: BlockKey[] = [];
    await engine.each(rows, (row) => {
      const block = row as unknown as BlockKey;
      const isWhole =
        query.now < Number(row[BLOCK_KEY.length]) && daysInWindow(query, block) === wholeMonth(month);
      if (isWhole) take(block, row.slice(BLOCK_KEY.length + 1));
      else partial.push(block);
    });
    const cells = await engine.cellsOf(partial);
    await engine.each(partial.entries(), ([nth, block]) => {
      const bytes = cells[nth];
      if (bytes) visits.visit(block, bytes);
    });
    await visits.visitMixed();
  }
}

/** Whether all days of a month match, at least for the shortest trips, and none has begun. */
function isInWindow({ firstDay, lastDay, now }: OfferFilters, month: number): boolean {
  const first = firstDayOfMonth(month);
  return first >= firstDay && firstDayOfMonth(month + 1) - 1 <= lastDay && now < first * 1_440;
}

function monthsOf(days: readonly number[]): number[] {
  const [first, last] = [days[0], days.at(-1)];
  return first === undefined || last === undefined ? [] : numbersBetween(monthOfDay(first), monthOfDay(last));
}

interface BlockVisits {
  visit(block: BlockKey, bytes: BlockBytes): void;
  /** Makes blocks from the offers on sale on the days that `visit` skipped, and visits their entries. */
  visitMixed(): Promise<void>;
}

function blockVisits(engine: SearchEngine, query: OfferFilters, visitor: BlockVisitor): BlockVisits {
  const cursor = new BlockCursor();
  const isWanted = entryFilter(query);
  let mixed: BlockDay[] = [];
  return {
    visit(block, bytes) {
      const window = daysInWindow(query, block);
      if (window === 0) return;
      const expiries = cursor.open(bytes, block);
      const onSale = daysOnSale(window, expiries, block, query.now, mixed);
      if (visitor.wants?.(block, onSale, cursor.base) === false) return;
      if (onSale === wholeMonth(block[2]) && isWanted === null) {
        while (cursor.next()) visitor.add(cursor, onSale, block);
        return;
      }
      while (cursor.next()) {
        cursor.read();
        if ((cursor.days & onSale) !== 0 && isWanted?.(cursor) !== false) visitor.add(cursor, onSale, block);
      }
    },
    async visitMixed() {
      const days = mixed;
      mixed = [];
      for (const some of batchesOf(days, DAYS_AT_ONCE)) {
        const offers = await engine.offersOfDays(some);
        await engine.each(some.entries(), ([nth, { block, day }]) => {
          const onSale = (offers[nth] ?? []).filter(([, , , , , expiresAt]) => expiresAt > query.now);
          if (onSale.length === 0) return;
          const dayOffers = onSale.map((offer) => [day, ...offer] as const);
          cursor.open(encodeBlock(blockOfOffers(block, dayOffers)), block);
          while (cursor.next()) {
            cursor.read();
            if (isWanted?.(cursor) !== false) visitor.add(cursor, cursor.days, block);
          }
        });
      }
    },
  };
}

export async function readsTooMuch(
  engine: SearchEngine,
  query: OfferFilters,
  { days, stays }: Departures,
  max: number,
): Promise<boolean> {
  const months = monthsOf(days);
  if (months.length === 0) return false;
  const { sql, values } = blockConditions(engine, query, months, stays);
  const [row] = await engine.rows(
    `select count(*) from (select 1 from price_block where ${sql} limit ${max + 1}) as blocks`,
    values,
  );
  return Number(row?.[0]) > max;
}

function blockConditions(
  engine: SearchEngine,
  query: OfferFilters,
  months: readonly number[],
  stays: readonly number[] | null,
): Conditions {
  return listConditions(engine, query, stays, [
    ['party', [query.party]],
    ['nights', stays],
    ['month', months],
    ['airport', query.airports],
    ...placeLists(query),
  ]);
}

/** The days of a block on which a trip of the query may depart, as a bitmap. */
function daysInWindow(query: OfferFilters, [, nights, month]: BlockKey): number {
  const firstOfMonth = firstDayOfMonth(month);
  // The bitmap has no bits for the next month's days.
  const lastIndex = firstDayOfMonth(month + 1) - firstOfMonth - 1;
  const from = Math.max(0, query.firstDay - firstOfMonth);
  const to = Math.min(lastIndex, Math.min(query.lastDay, query.lastReturnDay - nights) - firstOfMonth);
  return from > to ? 0 : 2 ** (to + 1) - 2 ** from;
}

function wholeMonth(month: number): number {
  return 2 ** (firstDayOfMonth(month + 1) - firstDayOfMonth(month)) - 1;
}

/** The days of `window` whose offers are all on sale. Adds days whose offers must be read to `mixed`. */
function daysOnSale(
  window: number,
  expiries: Map<number, DayExpiry> | null,
  block: BlockKey,
  now: number,
  mixed: BlockDay[],
): number {
  const firstOfMonth = firstDayOfMonth(block[2]);
  if (expiries === null && now < (firstOfMonth + 31 - Math.clz32(window & -window)) * 1_440) return window;
  let onSale = 0;
  for (let rest = window; rest !== 0; rest &= rest - 1) {
    const bit = rest & -rest;
    const index = 31 - Math.clz32(bit);
    const sale = saleOfDay(expiries?.get(index), firstOfMonth + index, now);
    if (sale === 'on-sale') onSale |= bit;
    else if (sale === 'mixed') {
      mixed.push({
        block: block.slice(0, BLOCK_KEY.length) as unknown as BlockKey,
        day: firstOfMonth + index,
      });
    }
  }
  return onSale;
}

/** Tells whether a read entry has the query's board, provider and stars. Null: the query accepts any. */
function entryFilter({
  boards,
  providers,
  halfStars,
}: OfferFilters): ((cursor: BlockCursor) => boolean) | null {
  if (boards === null && providers === null && halfStars === null) return null;
  const [boardIds, providerIds, stars] = [boards, providers, halfStars].map((ids) => ids && new Set(ids));
  return (cursor) =>
    (!boardIds || boardIds.has(cursor.board)) &&
    (!providerIds || providerIds.has(cursor.provider)) &&
    (!stars || stars.has(cursor.halfStars));
}
