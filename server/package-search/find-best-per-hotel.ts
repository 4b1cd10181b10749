import type { OfferRow } from '../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import { offerConditions } from './offer-conditions.ts';
import type { FoundPage, PackageQuestion } from './package-repository.ts';
import { RANK_SQL } from './rank.ts';
import type { Departures, SearchStore } from './search-store.ts';

/** A hotel's best rank under the sort, and the first day on which it has it. */
export interface Best {
  hotel: number;
  rank: number;
  day: number;
}

const HOTEL = KEY_COLUMNS.indexOf('hotel');

/**
 * A page of hotels, each with its best offer under the sort (ruling 9). Of all that matches only hotels and ranks
 * are read; whole rows are read for the page's winners alone.
 */
export async function findBestPerHotel(
  store: SearchStore,
  question: PackageQuestion,
  departures: Departures,
): Promise<Omit<FoundPage, 'statements'>> {
  const best = await store.bestPerHotel(question, departures);
  const after = question.after;
  const beyond = after === null ? best : best.filter((one) => isBeyond(one, after));
  const ordered = beyond.toSorted((a, b) => a.rank - b.rank || a.hotel - b.hotel);
  const page = ordered.slice(0, question.limit);
  const last = page.at(-1);
  return {
    offers: page.length === 0 ? [] : await readWinners(store, question, page, departures),
    next: ordered.length > page.length && last !== undefined ? [last.rank, last.hotel] : null,
    count: best.length,
  };
}

function isBeyond({ rank, hotel }: Best, [lastRank = 0, lastHotel = 0]: readonly number[]): boolean {
  return rank > lastRank || (rank === lastRank && hotel > lastHotel);
}

/** The winners' whole rows in the winners' order; of a hotel's equals, the first by key. */
async function readWinners(
  store: SearchStore,
  question: PackageQuestion,
  winners: readonly Best[],
  { stays }: Departures,
): Promise<OfferRow[]> {
  const rankOf = new Map(winners.map(({ hotel, rank }) => [hotel, rank]));
  const days = [...new Set(winners.map(({ day }) => day))];
  const rank = `(${RANK_SQL[question.sort]})`;
  const { sql, values } = offerConditions(store, question, { days, stays });
  const rows = (await store.ask(
    `select ${rank}, ${OFFER_COLUMNS.join(', ')} from offer
      where ${sql} and ${store.anyOf('hotel')} and ${store.anyOf(rank)} order by ${KEY_COLUMNS.join(', ')}`,
    [...values, [...rankOf.keys()], [...new Set(rankOf.values())]],
  )) as unknown as [rank: number, ...offer: OfferRow][];
  const firstByHotel = new Map<number, OfferRow>();
  for (const [ranked, ...columns] of rows) {
    const offer = columns as unknown as OfferRow;
    const hotel = offer[HOTEL] as number;
    if (ranked === rankOf.get(hotel) && !firstByHotel.has(hotel)) firstByHotel.set(hotel, offer);
  }
  return winners.map(({ hotel }) => firstByHotel.get(hotel)).filter((row) => row !== undefined);
}
