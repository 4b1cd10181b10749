import { firstDayOfMonth } from '../../../domain/month.ts';
import { numbersBetween } from '../../lib/numbers-between.ts';
import type { SqlSession } from '../../storage/sql-database.ts';
import type { BlockKey } from '../block-key.ts';
import { blockExpiry, compareCells, type PriceBlock, type PriceCell } from '../price-block.ts';
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
export async function* blocksOfOffers(
  tx: SqlSession,
  month: number,
): AsyncGenerator<readonly [BlockKey, PriceBlock]> {
  const stays = (await tx.prepare('select nights from stay order by nights').rows()) as [number][];
  const parties = (await tx.prepare('select id from party order by id').rows()) as [number][];
  const days = numbersBetween(firstDayOfMonth(month), firstDayOfMonth(month + 1) - 1);
  const offers =
    tx.prepare(`select airport, country, region, resort, departure_day, ${BLOCK_OFFER_COLUMNS.join(', ')}
    from offer where ${tx.anyOf('departure_day')} and nights = ? and party = ?
    order by airport, country, region, resort, hotel, board, provider, half_stars, departure_day`);
  for (const [party] of parties) {
    for (const [nights] of stays) {
      yield* blocksOfStay([party, nights, month], offers.iterate(days, nights, party));
    }
  }
}

async function* blocksOfStay(
  [party, nights, month]: readonly [party: number, nights: number, month: number],
  rows: AsyncIterable<unknown>,
): AsyncGenerator<readonly [BlockKey, PriceBlock]> {
  let key: BlockKey | null = null;
  let offers: DayOffer[] = [];
  for await (const row of rows as AsyncIterable<PlacedOffer>) {
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

/** Makes a block from offers in any order. Offers with the same cell extend the cell's price range. */
export function blockOfOffers([, , month]: BlockKey, offers: Iterable<DayOffer>): PriceBlock {
  const firstDay = firstDayOfMonth(month);
  const all: PriceCell[] = [];
  const block: PriceBlock = { cells: [], expiries: new Map() };
  for (const [departureDay, hotel, board, provider, halfStars, price, expiresAt] of offers) {
    const day = departureDay - firstDay;
    all.push({ hotel, board, provider, halfStars, day, low: price, high: price });
    const expiry = blockExpiry(expiresAt, departureDay);
    const { first, last } = block.expiries.get(day) ?? { first: expiry, last: expiry };
    block.expiries.set(day, { first: Math.min(first, expiry), last: Math.max(last, expiry) });
  }
  for (const cell of all.sort(compareCells)) {
    const known = block.cells.at(-1);
    if (known !== undefined && compareCells(known, cell) === 0) {
      known.low = Math.min(known.low, cell.low);
      known.high = Math.max(known.high, cell.high);
    } else block.cells.push(cell);
  }
  return block;
}
