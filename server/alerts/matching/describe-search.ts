import { MAX_POUNDS } from '../../../domain/alert-signup.ts';
import { formatWholePounds, type Pence, poundsToPence } from '../../../domain/money.ts';
import { watchWords } from '../../../domain/search-watch.ts';
import { totalPrice } from '../../inventory/offer-charges.ts';
import { readHotelsBy } from '../../inventory/tables/cached-catalogue.ts';
import { mapInOrder } from '../../lib/map-in-order.ts';
import type { SqlSession } from '../../storage/sql-database.ts';
import type { AlertSession } from '../tables/alert-store.ts';
import type { PackageOnSale } from '../tables/package-lookup.ts';
import { isSearchKey, searchWatches } from '../tables/search-watches.ts';
import { describePackage, priceNow, priceWords, type WatchedSubject } from '../texts/message-text.ts';
import { nameInMessage } from '../texts/name-in-message.ts';
import { packagesFound, searchIn } from './search-looks.ts';
import { readWatchedSearch } from './watched-search.ts';

/** A limit that every total meets. */
export const ANY_PRICE: Pence = poundsToPence(MAX_POUNDS);

/** 'Crete from London, 7 nights from 1st May 2027, for 2 adults', of a query with a question mark before it. */
export async function searchName(session: SqlSession, itemKey: string): Promise<string> {
  const search = readWatchedSearch(itemKey.slice(1));
  if (search === null) return 'A search that no longer works';
  const { trip, hotelCode } = search;
  const inMessage = ([country, region, resort]: readonly [string, string, string]) =>
    [nameInMessage(country), nameInMessage(region), nameInMessage(resort)] as const;
  const [hotel] = hotelCode === '' ? [] : await readHotelsBy(searchIn(session).reader, { code: [hotelCode] });
  return watchWords(
    {
      ...trip,
      destination: trip.destination && inMessage(trip.destination),
      flexibility: { ...trip.flexibility, places: trip.flexibility.places.map(inMessage) },
    },
    hotelCode === '' ? null : nameInMessage(hotel?.name ?? 'One hotel'),
  );
}

/** 'You asked for prices up to £2,400.' */
export function limitWords({ limit, booked }: { limit: Pence; booked: Pence | null }): string {
  if (booked !== null) return `You booked it for ${formatWholePounds(booked)}.`;
  return limit >= ANY_PRICE
    ? 'You asked for any price.'
    : `You asked for prices up to ${formatWholePounds(limit)}.`;
}

/** A watch's search and limit in words. */
export async function describeSearch(
  { session }: Pick<AlertSession, 'session'>,
  watch: { itemKey: string; limit: Pence; booked: Pence | null },
): Promise<string> {
  return `${await searchName(session, watch.itemKey)}. ${limitWords(watch)}`;
}

/** The packages that a watch's search finds, the lowest total first: at most `limit`. */
export async function foundOnSale(
  { session, packages }: Pick<AlertSession, 'session' | 'packages'>,
  itemKey: string,
  limit: number,
  now: number,
): Promise<PackageOnSale[]> {
  const offers = await packagesFound(session, itemKey, limit, now);
  return mapInOrder(offers, async (offer) => ({ ...(await packages.read(offer)), price: totalPrice(offer) }));
}

/** What a watch is for, and its price now; null if its package is not on sale. */
export async function subjectOf(
  store: AlertSession,
  itemKey: string,
  now: number,
): Promise<(WatchedSubject & { now: string }) | null> {
  if (!isSearchKey(itemKey)) {
    const onSale = await store.packages.find(itemKey);
    return onSale && { words: describePackage(onSale), price: priceWords(onSale), now: priceNow(onSale) };
  }
  const [watch] = await searchWatches(store, 'item_key = ?', itemKey);
  const [best = null] = await foundOnSale(store, itemKey, 1, now);
  const words =
    watch === undefined ? await searchName(store.session, itemKey) : await describeSearch(store, watch);
  return {
    words: words.replace(/\.$/, ''),
    price: priceWords(best),
    now: best === null ? NOT_SOLD : priceNow(best),
  };
}

const NOT_SOLD = 'not on sale at the moment';
