import { firstDayOfMonth, monthOfDay } from '../../domain/month.ts';
import { BlockCursor } from '../inventory/block-cursor.ts';
import { BLOCK_KEY, type BlockKey } from '../inventory/block-key.ts';
import { type BlockBytes, type DayExpiry, encodeBlock, saleOfDay } from '../inventory/price-block.ts';
import type { BlockDay } from '../inventory/tables/block-day-source.ts';
import { blockOfOffers } from '../inventory/tables/block-of-offers.ts';
import { type Conditions, isAmong } from './offer-conditions.ts';
import type { OfferFilters } from './package-repository.ts';
import type { Departures, SearchEngine } from './search-engine.ts';

/** What a scan calls; `days` is a bitmap of matching days. */
export interface BlockVisitor {
  /** Called for each entry with offers that match: `cursor` is at the entry, which has some of the days. */
  add(cursor: BlockCursor, days: number, block: BlockKey): void;
  /** Whether the entries of a block can matter. None of its prices is below `lowest`. Omitted: they always can. */
  wants?(block: BlockKey, days: number, lowest: number): boolean;
}

/** Days whose offers are read together. */
const DAYS_AT_ONCE = 1_000;

/**
 * Visits the prices of all offers that match, by price block and not in the order of days. A day on which some offers
 * of a block have expired and others have not is read from the offers. A month is read at a time, which bounds the
 * memory.
 */
export async function scanBlocks(
  engine: SearchEngine,
  query: OfferFilters,
  { days, stays }: Departures,
  visitor: BlockVisitor,
): Promise<void> {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return;
  const cursor = new BlockCursor();
  const isWanted = entryFilter(query);
  for (let month = monthOfDay(first); month <= monthOfDay(last); month += 1) {
    const { sql, values } = blockConditions(engine, query, [month], stays);
    const rows = await engine.rows(
      `select ${BLOCK_KEY.join(', ')}, cells from price_block where ${sql}`,
      values,
    );
    const firstOfMonth = firstDayOfMonth(month);
    const mixed: BlockDay[] = [];
    for (const row of rows) {
      const block = row as unknown as BlockKey;
      const window = daysInWindow(query, block, firstOfMonth);
      if (window === 0) continue;
      const expiries = cursor.open(row[BLOCK_KEY.length] as BlockBytes);
      const onSale = daysOnSale(window, expiries, block, firstOfMonth, query.now, mixed);
      if (visitor.wants?.(block, onSale, cursor.base) === false) continue;
      while (cursor.next()) {
        if ((cursor.days & onSale) !== 0 && isWanted(cursor)) visitor.add(cursor, onSale, block);
      }
    }
    await openMixed(engine, query.now, mixed, cursor, (block) => {
      while (cursor.next()) if (isWanted(cursor)) visitor.add(cursor, cursor.days, block);
    });
  }
}

/** Whether a query covers more blocks than `most`. */
export async function readsTooMuch(
  engine: SearchEngine,
  query: OfferFilters,
  { days, stays }: Departures,
  most: number,
): Promise<boolean> {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return false;
  const months = Array.from(
    { length: monthOfDay(last) - monthOfDay(first) + 1 },
    (_, nth) => monthOfDay(first) + nth,
  );
  const { sql, values } = blockConditions(engine, query, months, stays);
  const [row] = await engine.rows(
    `select count(*) from (select 1 from price_block where ${sql} limit ${most + 1}) as blocks`,
    values,
  );
  return Number(row?.[0]) > most;
}

function blockConditions(
  { anyOf }: SearchEngine,
  query: OfferFilters,
  months: readonly number[],
  stays: readonly number[] | null,
): Conditions {
  const lists: [column: (typeof BLOCK_KEY)[number], ids: readonly number[] | null][] = [
    ['party', [query.party]],
    ['nights', stays],
    ['month', months],
    ['airport', query.airports],
    ['country', query.countries],
    ['region', query.regions],
    ['resort', query.resorts],
  ];
  const conditions = lists.flatMap(([column, ids]) => (ids === null ? [] : [isAmong(anyOf, column, ids)]));
  return {
    sql: [
      ...conditions.map(({ sql }) => sql),
      ...(stays === null ? ['nights = any(array(select nights from stay))'] : []),
    ].join(' and '),
    values: conditions.map(({ value }) => value),
  };
}

/** The days of a block on which a trip of the query may depart, as a bitmap. */
function daysInWindow(query: OfferFilters, [, nights, month]: BlockKey, firstOfMonth: number): number {
  // The next month's days are not this block's.
  const lastIndex = firstDayOfMonth(month + 1) - firstOfMonth - 1;
  const from = Math.max(0, query.firstDay - firstOfMonth);
  const to = Math.min(lastIndex, Math.min(query.lastDay, query.lastReturnDay - nights) - firstOfMonth);
  return from > to ? 0 : 2 ** (to + 1) - 2 ** from;
}

/** The days of `window` whose offers are all on sale. Those that have to be read are added to `mixed`. */
function daysOnSale(
  window: number,
  expiries: Map<number, DayExpiry> | null,
  block: BlockKey,
  firstOfMonth: number,
  now: number,
  mixed: BlockDay[],
): number {
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

/** Makes blocks of the offers on these days that are on sale, and calls `onBlock` with the cursor at each. */
async function openMixed(
  engine: SearchEngine,
  now: number,
  mixed: readonly BlockDay[],
  cursor: BlockCursor,
  onBlock: (block: BlockKey) => void,
): Promise<void> {
  for (let from = 0; from < mixed.length; from += DAYS_AT_ONCE) {
    const days = mixed.slice(from, from + DAYS_AT_ONCE);
    const offers = await engine.offersOfDays(days);
    for (const [nth, { block, day }] of days.entries()) {
      const onSale = (offers[nth] ?? []).filter(([, , , , , expiresAt]) => expiresAt > now);
      if (onSale.length === 0) continue;
      cursor.open(
        encodeBlock(
          blockOfOffers(
            block,
            onSale.map((offer) => [day, ...offer] as const),
          ),
        ),
      );
      onBlock(block);
    }
  }
}

/** Whether an entry has the query's board, provider and stars. */
function entryFilter({ boards, providers, halfStars }: OfferFilters): (cursor: BlockCursor) => boolean {
  if (boards === null && providers === null && halfStars === null) return () => true;
  const [boardIds, providerIds, stars] = [boards, providers, halfStars].map((ids) => ids && new Set(ids));
  return (cursor) =>
    (!boardIds || boardIds.has(cursor.board)) &&
    (!providerIds || providerIds.has(cursor.provider)) &&
    (!stars || stars.has(cursor.halfStars));
}
