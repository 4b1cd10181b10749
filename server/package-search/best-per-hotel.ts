import type { OfferRow } from '../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import { offerConditions } from './offer-conditions.ts';
import type { FoundPage, PackageQuery } from './package-repository.ts';
import { RANK_SQL } from './rank.ts';
import type { Best, Departures, SearchEngine } from './search-engine.ts';

/**
 * A page of hotels, each with its best offer under the sort (ruling 9). Of all matching offers only hotel and rank are
 * read; whole rows are read for the page's offers only.
 */
export async function bestPerHotel(
  engine: SearchEngine,
  query: PackageQuery,
  departures: Departures,
): Promise<Omit<FoundPage, 'statements'>> {
  const best = await engine.bestPerHotel(query, departures);
  const after = query.after;
  const following = after === null ? best : best.filter((one) => isAfter(one, after));
  const ordered = following.toSorted((a, b) => a.rank - b.rank || a.hotel - b.hotel);
  const page = ordered.slice(0, query.limit);
  const last = page.at(-1);
  return {
    offers: page.length === 0 ? [] : await readOffers(engine, query, page, departures),
    next: ordered.length > page.length && last !== undefined ? [last.rank, last.hotel] : null,
    count: best.length,
    isTooWide: false,
  };
}

function isAfter({ rank, hotel }: Best, [lastRank = 0, lastHotel = 0]: readonly number[]): boolean {
  return rank > lastRank || (rank === lastRank && hotel > lastHotel);
}

/** The whole rows, in the order of `page`. Of a hotel's offers with equal rank the first by key is taken. */
export async function readOffers(
  engine: SearchEngine,
  query: PackageQuery,
  page: readonly Best[],
  { stays }: Departures,
): Promise<OfferRow[]> {
  const rankOf = new Map(page.map(({ hotel, rank }) => [hotel, rank]));
  const days = [...new Set(page.map(({ day }) => day))];
  const rank = `(${RANK_SQL[query.sort]})`;
  const { sql, values } = offerConditions(engine, query, { days, stays });
  const rows = (await engine.rows(
    `select ${rank}, ${OFFER_COLUMNS.join(', ')} from offer
      where ${sql} and ${engine.anyOf('hotel')} and ${engine.anyOf(rank)} order by ${KEY_COLUMNS.join(', ')}`,
    [...values, [...rankOf.keys()], [...new Set(rankOf.values())]],
  )) as unknown as [rank: number, ...offer: OfferRow][];
  const firstByHotel = new Map<number, OfferRow>();
  for (const [ranked, ...columns] of rows) {
    const offer = columns as unknown as OfferRow;
    const hotel = offer[OFFER.hotel];
    if (ranked === rankOf.get(hotel) && !firstByHotel.has(hotel)) firstByHotel.set(hotel, offer);
  }
  return page.map(({ hotel }) => firstByHotel.get(hotel)).filter((row) => row !== undefined);
}
