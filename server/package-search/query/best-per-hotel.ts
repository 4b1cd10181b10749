import type { OfferRow } from '../../inventory/inventory.ts';
import { OFFER, OFFER_COLUMNS } from '../../inventory/offer-columns.ts';
import { hotelsInOrder, placeAfter } from './hotels-in-order.ts';
import { offerConditions } from './offer-conditions.ts';
import type { FoundPage, PackageQuery } from './package-repository.ts';
import { RANK_SQL } from './rank.ts';
import type { Best, Departures, SearchEngine } from './search-engine.ts';
import type { TieOrder } from './tie-order.ts';

/**
 * A page of the hotels in `best`, each with its best offer under the sort. Reads whole rows for
 * the page only.
 */
export async function pageOfHotels(
  engine: SearchEngine,
  query: PackageQuery,
  best: readonly Best[],
  departures: Departures,
  ties: TieOrder,
): Promise<Omit<FoundPage, 'statements'>> {
  const ordered = await hotelsInOrder(best, query, ties);
  const page = ordered.slice(0, query.limit);
  const last = ordered.length > page.length ? page.at(-1) : undefined;
  const [offers, next] = await Promise.all([
    page.length === 0 ? [] : readOffers(engine, query, page, departures, ties),
    last ? placeAfter(last, ties) : null,
  ]);
  return { offers, next, count: best.length, isTooWide: false };
}

/** The whole rows of the best offers, in the order of `page`. Of a hotel's equal offers, takes the first. */
export async function readOffers(
  engine: SearchEngine,
  query: PackageQuery,
  page: readonly Best[],
  { stays }: Departures,
  ties: TieOrder,
): Promise<OfferRow[]> {
  const rankOf = new Map(page.map(({ hotel, rank }) => [hotel, rank]));
  const days = [...new Set(page.map(({ day }) => day))];
  const rank = `(${RANK_SQL[query.sort]})`;
  const { sql, values } = offerConditions(engine, query, { days, stays });
  const rows = await engine.rows(
    `select ${OFFER_COLUMNS.join(', ')}, ${rank} from offer
      where ${sql} and ${engine.anyOf('hotel')} and ${engine.anyOf(rank)}`,
    [...values, [...rankOf.keys()], [...new Set(rankOf.values())]],
  );
  const best = rows.flatMap((row) => {
    const ranked = row.pop();
    const offer = row as unknown as OfferRow;
    return ranked === rankOf.get(offer[OFFER.hotel]) ? [offer] : [];
  });
  const byHotel = Map.groupBy(best, (offer) => offer[OFFER.hotel]);
  return ties.firstOfEach(
    page.map(({ hotel }) => byHotel.get(hotel)).filter((offers) => offers !== undefined),
  );
}
