import { firstDayOfMonth } from '../../../domain/month.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { BlockKey } from '../block-key.ts';
import { addToBlock, blockExpiry, compareCells, type PriceBlock, type PriceCell } from '../price-block.ts';
import { BLOCK_OFFER_COLUMNS, type DayOffer } from './block-day-source.ts';

/** The airport, country, region and resort of an offer, followed by the offer. */
type PlacedOffer = readonly [
  airport: number,
  country: number,
  region: number,
  resort: number,
  ...offer: DayOffer,
];

/** The blocks for a month's offers, in key order. Reads the offers once, inside the caller's transaction. */
export function* blocksOfOffers(
  database: SqlDatabase,
  month: number,
): Generator<readonly [BlockKey, PriceBlock]> {
  const numbers = (sql: string) =>
    database
      .prepare(sql)
      .rows()
      .map(([value]) => Number(value));
  const stays = numbers('select nights from stay order by nights');
  const parties = numbers('select id from party order by id');
  const first = firstDayOfMonth(month);
  const days = Array.from({ length: firstDayOfMonth(month + 1) - first }, (_, index) => first + index);
  const offers =
    database.prepare(`select airport, country, region, resort, departure_day, ${BLOCK_OFFER_COLUMNS.join(', ')}
    from offer where ${database.anyOf('departure_day')} and nights = ? and party = ?
    order by airport, country, region, resort, hotel, board, provider, half_stars, departure_day`);
  for (const party of parties) {
    for (const nights of stays) {
      yield* blocksOfStay([party, nights, month], offers.iterate(days, nights, party));
    }
  }
}

function* blocksOfStay(
  [party, nights, month]: readonly [party: number, nights: number, month: number],
  rows: Iterable<unknown>,
): Generator<readonly [BlockKey, PriceBlock]> {
  let key: BlockKey | null = null;
  let offers: DayOffer[] = [];
  for (const row of rows as Iterable<PlacedOffer>) {
    const [airport, country, region, resort, ...offer] = row;
    if (key === null || key[6] !== resort || key[3] !== airport || key[5] !== region || key[4] !== country) {
      if (key !== null) yield [key, blockOfOffers(key, offers)];
      key = [party, nights, month, airport, country, region, resort];
      offers = [];
    }
    offers.push(offer);
  }
  if (key !== null) yield [key, blockOfOffers(key, offers)];
}

export function blockOfOffers([, , month]: BlockKey, offers: Iterable<DayOffer>): PriceBlock {
  const first = firstDayOfMonth(month);
  const cells: (readonly [PriceCell, expiry: number])[] = [];
  for (const [departureDay, hotel, board, provider, halfStars, price, expiresAt] of offers) {
    const day = departureDay - first;
    const cell = { hotel, board, provider, halfStars, day, low: price, high: price };
    cells.push([cell, blockExpiry(expiresAt, departureDay)]);
  }
  const block: PriceBlock = { cells: [], expiries: new Map() };
  for (const [cell, expiry] of cells.sort(([one], [other]) => compareCells(one, other))) {
    addToBlock(block, cell, expiry);
  }
  return block;
}
