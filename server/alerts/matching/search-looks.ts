import { dayNumber, fromDayNumber } from '../../../domain/calendar-date.ts';
import { londonClock, londonInstant } from '../../../domain/london-time.ts';
import type { Pence } from '../../../domain/money.ts';
import { afterLook, firesBelow, rearmsFrom, toldAtStart } from '../../../domain/search-watch.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { totalPrice } from '../../inventory/offer-charges.ts';
import { KEY_COLUMNS, OFFER, OFFER_COLUMNS } from '../../inventory/offer-columns.ts';
import { memoizeAll, memoizeWeak } from '../../lib/memoize.ts';
import { searchNames, sessionSearch } from '../../package-search/store/session-search.ts';
import type { SqlDatabase, SqlSession } from '../../storage/sql-database.ts';
import { jsonRows } from '../tables/json-rows.ts';
import { queueDrops } from '../tables/messages.ts';
import { type DayPrices, isSearchKey, type SearchWatch, searchWatches } from '../tables/search-watches.ts';
import { readWatchedSearch } from './watched-search.ts';

const namesOf = memoizeWeak((_store: object) => searchNames());

/** Searches in a session. */
export const searchIn = memoizeWeak((session: SqlSession) => sessionSearch(session, namesOf(session.store)));

/** The columns that a best package must keep, or its search runs again. */
export const BEST_COLUMNS = [
  ...KEY_COLUMNS,
  'half_stars',
  'departure_minute',
  'outbound_flight',
  'inbound_flight',
  'luggage',
] as const;

const BEST_AT = BEST_COLUMNS.map((column) => OFFER_COLUMNS.indexOf(column));

/** Watches per transaction, and its target duration, because sign-ups wait for it. */
const LOOKS = 500;

/** The most due watches to sort by their search, so that those of the same search share its run. */
const MAX_READ = 2_000;
const LOOKING_MS = 100;

/** Days of prices that a watch keeps: the longest that a search can lie ahead. */
const MAX_DAY_PRICES = 550;

/** The packages that a watch's search finds, the lowest total first: at most `limit`. */
export async function packagesFound(
  session: SqlSession,
  itemKey: string,
  limit: number,
  now: number,
): Promise<OfferRow[]> {
  const search = isSearchKey(itemKey) ? readWatchedSearch(itemKey.slice(1)) : null;
  const found = search === null ? [] : await searchIn(session).cheapest(search.request, limit, now);
  return found === 'too wide' ? [] : found;
}

const LOOKED = `with looked as materialized (select cast(value ->> 0 as bigint) as id,
    cast(value ->> 1 as bigint) as new_told, cast(value ->> 2 as bigint) as new_was,
    cast(value ->> 3 as bigint) as new_began, cast(value ->> 4 as bigint) as due, value ->> 5 as new_prices,
    cast(value ->> 6 as bigint) as below from json_each(?))`;

const SET_LOOKED = `${LOOKED} update alert_search set told = new_told, was = new_was, began = new_began, has_begun = 1,
  is_due = due, must_look = 0, looked_day = ?, prices = new_prices from looked where watch = id`;

const SET_BELOW = `${LOOKED} update alert_search_place set fires_below = below from looked where watch = id`;

/** The minute from which searches do not find an offer. */
export function goneAt(offer: OfferRow): number {
  const departs = londonInstant(fromDayNumber(offer[OFFER.departureDay]), 0) / 60_000;
  return Math.min(offer[OFFER.expiresAt], departs);
}

/** Looks at watches, inside the caller's transaction with the alerts' lock, and queues the messages that are due. */
async function look(
  tx: SqlSession,
  watches: readonly SearchWatch[],
  at: number,
  maxMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  if (watches.length === 0) return;
  const today = dayNumber(londonClock(at).day);
  // Watches of the same search share its run.
  const bestOf = memoizeAll(async (itemKey: string) => (await packagesFound(tx, itemKey, 1, at))[0]);
  const rows: (string | number | null)[][] = [];
  const bests: number[][] = [];
  const due: number[] = [];
  const begun = performance.now();
  for (const one of watches) {
    const best = await bestOf(one.itemKey);
    const lowest = best === undefined ? null : totalPrice(best);
    const told = one.hasBegun ? one.told : toldAtStart(one.limit, lowest);
    const after = afterLook({ limit: one.limit, told }, lowest);
    const isDue = one.isDue || after.fires;
    const hasRisen = told !== null && after.told === null;
    const was = !one.hasBegun || hasRisen ? lowest : one.was;
    const prices = JSON.stringify(withPrice(one.prices, today, lowest));
    const below = isDue ? 0 : firesBelow(after);
    rows.push([one.watch, after.told, was, one.began ?? lowest, isDue ? 1 : 0, prices, below]);
    const from = rearmsFrom(after);
    if (best !== undefined && from !== null)
      bests.push([one.watch, ...BEST_AT.map((column) => Number(best[column])), goneAt(best), from]);
    if (isDue) due.push(one.contact);
    if (performance.now() - begun > maxMs) break;
  }
  await tx.prepare(SET_LOOKED).run(jsonRows(rows), today);
  await tx.prepare(SET_BELOW).run(jsonRows(rows));
  await tx
    .prepare(`delete from alert_search_best where ${tx.anyOf('watch')}`)
    .run(rows.map(([watch]) => Number(watch)));
  await tx.addRows('alert_search_best', ['watch', ...BEST_COLUMNS, 'gone_at', 'rearms_from'], bests);
  await queueDrops(tx, due, at);
}

/**
 * Looks at some watches: at those that something has changed for or, if `which` is 'daily', at those not looked at
 * today. Returns false if there are none.
 */
export async function lookAtSome(
  database: SqlDatabase,
  which: 'changed' | 'daily',
  at: number,
): Promise<boolean> {
  const today = dayNumber(londonClock(at).day);
  const condition = which === 'daily' ? `looked_day < ${today}` : 'must_look = 1';
  const some = `select watch, item_key from alert_search join alert_watch on id = watch
    where watch in (select watch from alert_search where ${condition} order by watch limit ${MAX_READ})`;
  if ((await database.prepare(`select 1 from alert_search where ${condition} limit 1`).row()) === undefined)
    return false;
  await database.write('alerts', async (tx) => {
    const found = await tx.prepare(some).rows();
    const ids = found
      .toSorted(([, one], [, other]) => (String(one) < String(other) ? -1 : 1))
      .slice(0, LOOKS)
      .map(([watch]) => Number(watch));
    if (ids.length === 0) return;
    const watches = await searchWatches({ session: tx }, `watch in (${ids.join(', ')}) order by item_key`);
    const paused = watches.filter(({ state }) => state !== 'active').map(({ watch }) => watch);
    if (paused.length > 0)
      await tx
        .prepare(`update alert_search set must_look = 0, looked_day = ? where ${tx.anyOf('watch')}`)
        .run(today, paused);
    const active = watches.filter(({ state }) => state === 'active');
    await look(tx, active, at, LOOKING_MS);
  });
  return true;
}

/** Begins the watches of a person that have just become active, and looks again at those that were paused. */
export async function beginSearches(tx: SqlSession, contact: number, now: number): Promise<void> {
  await look(tx, await searchWatches({ session: tx }, `contact = ? and state = 'active'`, contact), now);
}

function withPrice(prices: DayPrices, today: number, lowest: Pence | null): DayPrices {
  if (lowest === null) return prices;
  const last = prices.at(-1);
  if (last?.[0] !== today) return [...prices, [today, lowest] as const].slice(-MAX_DAY_PRICES);
  return [...prices.slice(0, -1), [today, Math.min(last[1], lowest)]];
}
