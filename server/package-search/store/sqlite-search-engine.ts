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
import type { RowReader } from '../../storage/sql-database.ts';
import { offerConditions } from '../query/offer-conditions.ts';
import type { OfferFilters, PackageQuery } from '../query/package-repository.ts';
import { RANK_SQL } from '../query/rank.ts';
import {
  type Best,
  type Departures,
  isLongWindow,
  type SearchEngine,
  SLICE_COLUMNS,
} from '../query/search-engine.ts';

const BLOCK_OFFERS = `select ${BLOCK_OFFER_COLUMNS.join(', ')} from offer
  where ${BLOCK_DAY_COLUMNS.map((column) => `${column} = ?`).join(' and ')}`;

const SLICE_OFFERS = `select ${OFFER_COLUMNS.join(', ')} from offer
  where ${SLICE_COLUMNS.map((column) => `${column} = ?`).join(' and ')} order by ${KEY_COLUMNS.join(', ')}`;

const BLOCK_CELLS = `select cells from price_block
  where ${BLOCK_KEY.map((column) => `${column} = ?`).join(' and ')}`;

export function sqliteSearchEngine(reader: RowReader): SearchEngine {
  return {
    ...reader,
    departures: (query) => departuresInStore(reader, query),
    bestPerHotel: (query, departures) => bestDayByDay(reader, query, departures),
    offersOfDays: (days) =>
      Promise.all(
        days.map(
          async (day) => (await reader.rows(BLOCK_OFFERS, blockDayValues(day))) as unknown as BlockOffer[],
        ),
      ),
    offersOfSlices: (slices) =>
      Promise.all(
        slices.map(async (slice) => (await reader.rows(SLICE_OFFERS, slice)) as unknown as OfferRow[]),
      ),
    cellsOf: (blocks) =>
      Promise.all(
        blocks.map(async (block) => {
          const [row] = await reader.rows(BLOCK_CELLS, block.slice(0, BLOCK_KEY.length));
          return row === undefined ? null : (row[0] as BlockBytes);
        }),
      ),
    inByteOrder: (expression) => expression,
    // Never yields, because the snapshot ends with this turn of the event loop.
    async each(items, visit) {
      for (const item of items) visit(item);
    },
  };
}

/** The days and stays of the query. A long window is narrowed to those in the store. */
async function departuresInStore({ rows }: RowReader, query: OfferFilters): Promise<Departures> {
  const { firstDay, lastDay, nights } = query;
  if (nights !== null && !isLongWindow(query))
    return { days: numbersBetween(firstDay, lastDay), stays: nights };
  const [range] = await rows(
    'select (select min(departure_day) from offer), (select max(departure_day) from offer)',
    [],
  );
  const [first, last] = range ?? [];
  if (typeof first !== 'number' || typeof last !== 'number') return { days: [], stays: [] };
  const stays = (await rows('select nights from stay order by nights', [])) as [number][];
  return {
    days: numbersBetween(Math.max(firstDay, first), Math.min(lastDay, last)),
    stays: stays.flatMap(([stay]) => (nights?.includes(stay) === false ? [] : [stay])),
  };
}

/** Reads hotel and rank of every match, day by day: grouping in JavaScript is faster than in SQLite. */
async function bestDayByDay(
  reader: RowReader,
  query: PackageQuery,
  { days, stays }: Departures,
): Promise<Best[]> {
  const best = new Map<number, Best>();
  for (const day of days) {
    const { sql, values } = offerConditions(reader, query, { days: [day], stays });
    const rows = await reader.rows(`select hotel, ${RANK_SQL[query.sort]} from offer where ${sql}`, values);
    for (const [hotel, rank] of rows as [number, number][]) {
      const known = best.get(hotel);
      if (known === undefined) best.set(hotel, { hotel, rank, day });
      else if (rank < known.rank) {
        known.rank = rank;
        known.day = day;
      }
    }
  }
  return [...best.values()];
}
