import type { Pence } from '../../../domain/money.ts';
import { partyCode } from '../../../domain/party.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { totalPrice } from '../../inventory/offer-charges.ts';
import { KEY_COLUMNS, OFFER } from '../../inventory/offer-columns.ts';
import type { CachedCatalogue } from '../../inventory/tables/cached-catalogue.ts';
import { batchesOf } from '../../lib/batches.ts';
import type { SqlDatabase, SqlSession } from '../../storage/sql-database.ts';
import { BEST_COLUMNS, searchIn } from './search-looks.ts';
import { bitOf, placeKey, starBit, WIDTHS } from './watched-search.ts';

/** The columns of a low price that an offer has, in order; its total follows. */
const LOW_KEY = [
  'departure_day',
  'nights',
  'party',
  'country',
  'region',
  'resort',
  'airport',
  'hotel',
  'board',
  'half_stars',
] as const;

const LOW_COLUMNS = [...LOW_KEY, 'price'] as const;

/** The table of new and changed packages, for imports that write sets of rows. */
export const LOW_PRICES = {
  table: 'alert_low_price',
  key: LOW_KEY,
  /** Only totals below this can matter to a watch. Null if there is none. */
  belowSql: `select max(most) from (select max(fires_below) as most from alert_search_place
    union all select max(rearms_from) from alert_search_best) as highest`,
} as const;

const MARKS = 5_000;

/** The watches of some places whose days meet those of the grids, and which one of their totals may concern. */
const WATCHING = `with grid as materialized (select key, cast(value ->> 0 as bigint) as lowest,
      cast(value ->> 1 as bigint) as last, cast(value ->> 2 as bigint) as first from json_each(?))
  select watch, first_day, last_day, least_nights, most_nights, airports, boards, stars, fires_below, place
  from grid cross join (${WIDTHS.map((width) => `select ${width} as most`).join(' union all ')}) as widths
    cross join alert_search_place
  where place = key and party = ? and width = most and first_day between first - most and last and last_day >= first
    and fires_below > lowest`;

const SAME_COLUMNS = BEST_COLUMNS.slice(KEY_COLUMNS.length);

const isSame = (one: string, other: string, columns: readonly string[]) =>
  columns.map((column) => `${one}.${column} = ${other}.${column}`).join(' and ');

/** The watches whose best package is among those that a batch has repriced, removed or, roughly, changed. */
const TOUCHED = `select best.watch from alert_price_change as changed cross join alert_search_best as best
    where changed.batch = ? and ${isSame('best', 'changed', KEY_COLUMNS)}
  union select best.watch from alert_low_price as low cross join alert_search_best as best
    where low.batch = ? and ${isSame('best', 'low', LOW_KEY.slice(0, -1))}`;

/** Those of some watches whose best package has risen, has changed, expires earlier, or is no longer on sale. */
const RISEN = (watches: string) => `select best.watch from alert_search_best as best left join offer
    on ${isSame('offer', 'best', KEY_COLUMNS)}
  where ${watches} and (offer.price is null or offer.price + offer.local_charge / 2 >= best.rearms_from
    or offer.expires_at < best.gone_at
    or ${SAME_COLUMNS.map((column) => `offer.${column} <> best.${column}`).join(' or ')})`;

/** Queues new and changed offers of a batch, in the transaction that writes them. */
export async function queueLowPrices(
  tx: SqlSession,
  batch: (tx: SqlSession) => Promise<number>,
  offers: readonly OfferRow[],
): Promise<void> {
  const most = (await tx.prepare(LOW_PRICES.belowSql).row())?.[0];
  const low = typeof most === 'number' ? offers.filter((offer) => totalPrice(offer) < most) : [];
  if (low.length === 0) return;
  const number = await batch(tx);
  const rows = low.map((offer) => [number, ...LOW_AT.map((at) => Number(offer[at])), totalPrice(offer)]);
  await tx.addRows('alert_low_price', ['batch', ...LOW_COLUMNS], rows);
}

/**
 * Marks the watches whose searches have to run again after a batch, of which no change may have been matched yet. May
 * mark too many, and may run again after a failure.
 */
export async function markWatches(database: SqlDatabase, batch: number, at: number): Promise<void> {
  const { sql } = database;
  const gone = await sql.all`select watch from alert_search_best where gone_at <= ${Math.floor(at / 60_000)}`;
  const marked = new Set(gone.map(({ watch }) => Number(watch)));
  const hasBest = (await sql.get`select 1 from alert_search_best limit 1`) !== undefined;
  const touched = hasBest ? await database.prepare(TOUCHED).rows(batch, batch) : [];
  const risen = database.prepare(RISEN(database.anyOf('best.watch')));
  for (const some of batchesOf(touched.flat().map(Number), MARKS))
    for (const [watch] of await risen.rows(some)) marked.add(Number(watch));
  const watching = database.prepare(WATCHING);
  for (const [party, grids] of await gridsOf(database, batch)) {
    const bounds = Object.fromEntries([...grids].map(([place, grid]) => [place, grid.bounds()]));
    for await (const row of watching.iterate(JSON.stringify(bounds), party))
      if (grids.get(String(row.at(-1)))?.matches(row as number[])) marked.add(Number(row[0]));
  }
  for (const some of batchesOf([...marked], MARKS))
    await database.write('alerts', (tx) =>
      tx.prepare(`update alert_search set must_look = 1 where ${tx.anyOf('watch')}`).run(some),
    );
}

/** Groups a batch by party and place, into grids of days and nights. */
async function gridsOf(database: SqlDatabase, batch: number): Promise<Map<string, Map<string, Grid>>> {
  const parties = new Map<string, Map<string, Grid>>();
  const lows: number[][] = [];
  const ofBatch = database.prepare(`select ${LOW_COLUMNS.join(', ')} from alert_low_price where batch = ?`);
  for await (const row of ofBatch.iterate(batch)) lows.push(row as number[]);
  if (lows.length === 0) return parties;
  const { catalogue, reader } = searchIn(database);
  const names = await catalogue();
  const codesOf = await hotelCodes(names, reader, lows);
  for (const low of lows) {
    const party = names.parties.get(low[2] ?? 0);
    if (party === undefined) continue;
    const [airport, board] = [names.airports.get(low[6] ?? 0), names.boards.get(low[8] ?? 0)];
    const grids = parties.get(partyCode(party)) ?? new Map<string, Grid>();
    parties.set(partyCode(party), grids);
    for (const place of placesOfLow(low, names, codesOf)) {
      const grid = grids.get(place) ?? lowGrid();
      grids.set(place, grid);
      grid.add(low, bitOf(airport?.code ?? ''), bitOf(board?.code ?? ''));
    }
  }
  return parties;
}

const LOW_AT = LOW_KEY.map((column) =>
  column === 'half_stars' ? OFFER.halfStars : KEY_COLUMNS.indexOf(column),
);

async function hotelCodes(
  names: CachedCatalogue,
  reader: Parameters<CachedCatalogue['records']>[0],
  lows: readonly number[][],
): Promise<(hotel: number) => string[]> {
  const membersOf = (hotel: number) => names.sameHotels.get(hotel) ?? [hotel];
  const ids = new Set(lows.flatMap((low) => membersOf(low[7] ?? 0)));
  const { hotels } = await names.records(reader, { hotels: [...ids], flights: [], rooms: [] });
  return (hotel) => membersOf(hotel).map((id) => hotels.get(id)?.code ?? '');
}

function placesOfLow(
  [, , , country, region, resort, , hotel = 0]: readonly number[],
  names: CachedCatalogue,
  codesOf: (hotel: number) => string[],
): string[] {
  return [
    placeKey.anywhere,
    placeKey.country(names.countries.get(country ?? 0)?.name ?? ''),
    placeKey.region(names.regions.get(region ?? 0)?.name ?? ''),
    placeKey.resort(names.resorts.get(resort ?? 0)?.name ?? ''),
    ...codesOf(hotel).map(placeKey.hotel),
  ];
}

type Grid = ReturnType<typeof lowGrid>;

/** More nights than a search can have. */
const NIGHTS = 128;

/** The lowest totals of some packages by day and nights, and in each by airport, board and stars. */
function lowGrid() {
  const cells = new Map<number, { lowest: Pence; totals: Map<number, Pence> }>();
  let lowest = Number.POSITIVE_INFINITY;
  let [firstDay, lastDay] = [Number.POSITIVE_INFINITY, 0];
  return {
    /** The lowest total, and the last and the first day. */
    bounds: () => [lowest, lastDay, firstDay],
    add(low: readonly number[], airport: number, board: number): void {
      const [day = 0, nights = 0] = low;
      const [halfStars = 0, total = 0] = low.slice(LOW_KEY.length - 1);
      const at = day * NIGHTS + nights;
      const cell = cells.get(at) ?? { lowest: total, totals: new Map<number, Pence>() };
      cells.set(at, cell);
      const kind = (airport * 32 + board) * 32 + starBit(halfStars);
      cell.totals.set(kind, Math.min(total, cell.totals.get(kind) ?? total));
      cell.lowest = Math.min(cell.lowest, total);
      lowest = Math.min(lowest, total);
      firstDay = Math.min(firstDay, day);
      lastDay = Math.max(lastDay, day);
    },
    /** Whether a row of `alert_search_place` may want one of the packages. */
    matches(row: readonly number[]): boolean {
      const [, first = 0, last = 0, least = 0, most = 0, airports = 0, boards = 0, stars = 0, below = 0] =
        row;
      const isWanted = (kind: number) =>
        (airports & (1 << (kind >> 10))) !== 0 &&
        (boards & (1 << ((kind >> 5) & 31))) !== 0 &&
        (stars & (1 << (kind & 31))) !== 0;
      const has = (at: number) => {
        const cell = cells.get(at);
        if (cell === undefined || cell.lowest >= below) return false;
        for (const [kind, total] of cell.totals) if (total < below && isWanted(kind)) return true;
        return false;
      };
      if ((last - first + 1) * (most - least + 1) > cells.size) {
        for (const at of cells.keys()) {
          const [day, nights] = [Math.floor(at / NIGHTS), at % NIGHTS];
          if (day >= first && day <= last && nights >= least && nights <= most && has(at)) return true;
        }
        return false;
      }
      for (let day = first; day <= last; day += 1)
        for (let nights = least; nights <= most; nights += 1) if (has(day * NIGHTS + nights)) return true;
      return false;
    },
  };
}
