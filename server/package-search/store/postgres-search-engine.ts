import { setImmediate as nextPass } from 'node:timers/promises';
import { BLOCK_KEY } from '../../inventory/block-key.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER_COLUMNS } from '../../inventory/offer-columns.ts';
import type { BlockBytes } from '../../inventory/price-block.ts';
import {
  BLOCK_DAY_COLUMNS,
  BLOCK_OFFER_COLUMNS,
  type BlockOffer,
  blockDayValues,
} from '../../inventory/tables/block-day-source.ts';
import { numbersBetween } from '../../lib/numbers-between.ts';
import type { RowReader, SqlValue } from '../../storage/sql-database.ts';
import { offerConditions } from '../query/offer-conditions.ts';
import type { PackageQuery } from '../query/package-repository.ts';
import { dayOfRank, RANK_SQL } from '../query/rank.ts';
import { type Best, type Departures, type SearchEngine, SLICE_COLUMNS } from '../query/search-engine.ts';

/** Packs a rank and a day into one number: days stay below this, ranks without a day far below 2^38. */
const DAY_SPAN = 2 ** 15;

/** How long to process rows before the main thread does other work. */
const MAX_PIECE_MS = 5;

export function postgresSearchEngine(reader: RowReader): SearchEngine {
  return {
    ...reader,
    async departures({ firstDay, lastDay, nights }) {
      return { days: numbersBetween(firstDay, lastDay), stays: nights };
    },
    bestPerHotel: (query, departures) => bestInStore(reader, query, departures),
    async offersOfDays(days) {
      const keys = days.map(blockDayValues);
      const rows = await joinedRows(reader, BLOCK_DAY_COLUMNS, keys, BLOCK_OFFER_COLUMNS);
      return rows as unknown as BlockOffer[][];
    },
    async offersOfSlices(slices) {
      const rows = await joinedRows(reader, SLICE_COLUMNS, slices, OFFER_COLUMNS);
      return rows as unknown as OfferRow[][];
    },
    async cellsOf(blocks) {
      if (blocks.length === 0) return [];
      const keys = blocks.map((block) => block.slice(0, BLOCK_KEY.length));
      const given = givenKeys(BLOCK_KEY, keys);
      const rows = await reader.rows(
        `select given.nth, cells from ${given.sql} join price_block using (${BLOCK_KEY.join(', ')})`,
        given.values,
      );
      const cells = new Map(rows.map(([nth, bytes]) => [Number(nth), bytes as BlockBytes]));
      return blocks.map((_, nth) => cells.get(nth) ?? null);
    },
    inByteOrder: (expression) => `${expression} collate "C"`,
    async each(items, visit) {
      let from = performance.now();
      for (const item of items) {
        visit(item);
        if (performance.now() - from < MAX_PIECE_MS) continue;
        await nextPass();
        from = performance.now();
      }
    },
  };
}

/** Groups in the store, so that it sends only one number per hotel. */
async function bestInStore(reader: RowReader, query: PackageQuery, departures: Departures): Promise<Best[]> {
  const { sort } = query;
  const rank = RANK_SQL[sort];
  const hasDay = dayOfRank(sort, 0) !== null;
  const best = hasDay ? `min(${rank})` : `min(cast(${rank} as bigint) * ${DAY_SPAN} + departure_day)`;
  const { sql, values } = offerConditions(reader, query, departures);
  const rows = await reader.rows(`select hotel, ${best} from offer where ${sql} group by hotel`, values);
  return (rows as [number, number][]).map(([hotel, value]) =>
    hasDay
      ? { hotel, rank: value, day: dayOfRank(sort, value) ?? 0 }
      : { hotel, rank: Math.floor(value / DAY_SPAN), day: value % DAY_SPAN },
  );
}

/** For each key, the wanted columns of the offers that have it. Reads all in one statement. */
async function joinedRows(
  { rows }: RowReader,
  columns: readonly (typeof KEY_COLUMNS)[number][],
  keys: readonly (readonly number[])[],
  wanted: readonly string[],
): Promise<SqlValue[][][]> {
  const found = keys.map((): SqlValue[][] => []);
  if (keys.length === 0) return found;
  const given = givenKeys(columns, keys);
  const joined = await rows(
    `select given.nth, ${wanted.map((column) => `offer.${column}`).join(', ')}
      from ${given.sql}
      join offer on ${columns.map((column) => `offer.${column} = given.${column}`).join(' and ')}
      order by given.nth, ${KEY_COLUMNS.map((column) => `offer.${column}`).join(', ')}`,
    given.values,
  );
  for (const [nth, ...row] of joined) found[Number(nth)]?.push(row);
  return found;
}

/** Keys with their indexes as the table `given (nth, ...columns)`. */
function givenKeys(
  columns: readonly string[],
  keys: readonly (readonly number[])[],
): { sql: string; values: number[][] } {
  const arrays = ['nth', ...columns].map(() => 'cast(? as integer[])').join(', ');
  return {
    sql: `unnest(${arrays}) as given(nth, ${columns.join(', ')})`,
    values: [keys.map((_, nth) => nth), ...columns.map((_, at) => keys.map((key) => key[at] ?? 0))],
  };
}
