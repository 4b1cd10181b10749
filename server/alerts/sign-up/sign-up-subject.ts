import type { AlertSignup, SearchSignup } from '../../../domain/alert-signup.ts';
import { dayNumber } from '../../../domain/calendar-date.ts';
import { londonInstant } from '../../../domain/london-time.ts';
import { type Pence, poundsToPence } from '../../../domain/money.ts';
import { bookedLimit } from '../../../domain/search-watch.ts';
import { foldedName } from '../../inventory/catalogue.ts';
import { ANY_PRICE, describeSearch, foundOnSale } from '../matching/describe-search.ts';
import { beginSearches, searchIn } from '../matching/search-looks.ts';
import {
  LISTED_PLACES,
  pinnedQuery,
  placesOf,
  readWatchedSearch,
  type WatchedSearch,
} from '../matching/watched-search.ts';
import type { AlertSession } from '../tables/alert-store.ts';
import type { PackageOnSale } from '../tables/package-lookup.ts';
import { addSearch } from '../tables/search-watches.ts';
import { addWatch, findWatch, type Watch, type WatchedTraits } from '../tables/watches.ts';
import { describePackage, priceWords, type WatchedSubject } from '../texts/message-text.ts';

/** What a person signs up for: a package, or a search with a limit. */
export interface SignUpSubject extends WatchedSubject {
  traits: WatchedTraits;
  /** Null: a package, about whose drops the person wants to know. */
  search: (Limits & { watched: WatchedSearch }) | null;
  /** The query of the flexible search that a package was found by, for links. */
  link: string | null;
}

export interface Limits {
  limit: Pence;
  booked: Pence | null;
}

export type SubjectReading = SignUpSubject | 'unknown package' | 'not a sign-up';

/** Reads what a sign-up is for. A package with a price limit is watched as the search that finds it. */
export async function readSubject(
  store: AlertSession,
  body: Pick<AlertSignup, 'intent' | 'intentName'> | Pick<SearchSignup, 'intent' | 'intentName'>,
  now: number,
): Promise<SubjectReading> {
  if (body.intentName === 'searchAlertSignup') {
    const { search, limit, booked } = body.intent;
    const paid = booked === undefined ? null : poundsToPence(booked);
    const most = limit === undefined ? ANY_PRICE : poundsToPence(limit);
    return searchSubject(
      store,
      search,
      { limit: paid === null ? most : bookedLimit(paid), booked: paid },
      now,
    );
  }
  const { packageHoliday, belowPrice, search = null } = body.intent;
  const onSale = await store.packages.find(packageHoliday.ItemKey);
  if (onSale === null || onSale.departsAt <= now || onSale.expiresAt <= now) return 'unknown package';
  if (belowPrice === undefined)
    return {
      traits: onSale,
      words: describePackage(onSale),
      price: priceWords(onSale),
      search: null,
      link: search,
    };
  return searchSubject(
    store,
    pinnedQuery(onSale),
    { limit: poundsToPence(belowPrice) - 1, booked: null },
    now,
  );
}

async function searchSubject(
  store: AlertSession,
  query: string,
  limits: Limits,
  now: number,
): Promise<SubjectReading> {
  const { session } = store;
  const watched = readWatchedSearch(query);
  if (watched === null || !(await hasKnownPlaces(store, watched))) return 'not a sign-up';
  // A booked package has one hotel, day, length and board.
  const isPinned =
    watched.hotelCode !== '' && watched.boards.length === 1 && watched.lastDay === watched.trip.date;
  if (limits.booked !== null && (!isPinned || watched.nights[0] !== watched.nights[1]))
    return 'not a sign-up';
  const departsAt = londonInstant(watched.lastDay, 0);
  if (departsAt <= now) return 'unknown package';
  if ((await searchIn(session).cheapest(watched.request, 1, now)) === 'too wide') return 'not a sign-up';
  const itemKey = `?${watched.query}`;
  const [best = null] = await foundOnSale(store, itemKey, 1, now);
  return {
    traits: {
      itemKey,
      country: '',
      region: '',
      resort: '',
      airport: '',
      board: '',
      halfStars: 0,
      nights: watched.nights[0],
      party: placesOf(watched).party,
      departure: watched.lastDay,
      departsAt,
    },
    words: await describeSearch(store, { ...limits, itemKey }),
    price: priceWords(best),
    search: { ...limits, watched },
    link: null,
  };
}

/** Whether a search's places are on the list or in the store, because a message must not have anyone's own words. */
async function hasKnownPlaces({ session }: AlertSession, { trip }: WatchedSearch): Promise<boolean> {
  const names = await searchIn(session).catalogue();
  const isKnown = (name: string) =>
    name === '' ||
    LISTED_PLACES.has(foldedName(name)) ||
    [names.countriesNamed(name), names.regionsNamed(name), names.resortsNamed(name)].some(
      ({ length }) => length > 0,
    );
  return [...(trip.destination ?? []), ...trip.flexibility.places.flat()].every(isKnown);
}

/** Starts a watch of a package or a search. */
export async function addSubject(
  store: AlertSession,
  contact: number,
  { traits, search, link }: SignUpSubject,
  { state, now }: Pick<Watch, 'state'> & { now: number },
): Promise<Watch> {
  const watch = await addWatch(store, contact, traits, { state, search: link, now });
  if (search !== null) await addSearch(store, watch.id, search, placesOf(search.watched));
  return watch;
}

/** Makes a watch one of the search that finds a package, with these limits. Returns false if there is such a watch. */
export async function pinWatch(
  store: AlertSession,
  watch: Pick<Watch, 'id' | 'contact'>,
  onSale: PackageOnSale,
  limits: Limits & { began: Pence | null },
  now: number,
): Promise<boolean> {
  const { sql, session } = store;
  const subject = await searchSubject(store, pinnedQuery(onSale), limits, now);
  if (typeof subject === 'string' || subject.search === null) return false;
  const { itemKey, party, departsAt } = subject.traits;
  const other = await findWatch(store, watch.contact, itemKey);
  if (other !== null && other.id !== watch.id) return false;
  await sql.run`delete from alert_search where watch = ${watch.id}`;
  await sql.run`update alert_watch set item_key = ${itemKey}, resort = '//', party = ${party}, airport = '', board = '',
    half_stars = 0, departure_day = ${dayNumber(onSale.departure)}, departs_at = ${departsAt} where id = ${watch.id}`;
  await addSearch(store, watch.id, limits, placesOf(subject.search.watched));
  await beginSearches(session, watch.contact, now);
  return true;
}
