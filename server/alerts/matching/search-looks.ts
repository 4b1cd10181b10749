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

const LOOKED = `update alert_search set told = ?, was = ?, began = ?, has_begun = 1, is_due = ?,
  must_look = 0, looked_day = ?, prices = ? where watch = ?`;

const SET_BEST = `insert into alert_search_best (watch, ${BEST_COLUMNS.join(', ')}, gone_at, rearms_from)
  values (${['', ...BEST_COLUMNS, '', ''].map(() => '?').join(', ')})`;

/** The minute from which searches do not find an offer. */
export function goneAt(offer: OfferRow): number {
  const departs = londonInstant(fromDayNumber(offer[OFFER.departureDay]), 0) / 60_000;
  return Math.min(offer[OFFER.expiresAt], departs);
}

/** The package with the lowest total of a watch's search. */
type BestOf = (itemKey: string) => Promise<OfferRow | undefined>;

/** Watches of the same search share its run. */
function bestIn(tx: SqlSession, at: number): BestOf {
  return memoizeAll(async (itemKey) => (await packagesFound(tx, itemKey, 1, at))[0]);
}

/** Looks at one watch, inside the caller's transaction with the alerts' lock. Returns whether a message is due. */
async function look(tx: SqlSession, one: SearchWatch, bestOf: BestOf, at: number): Promise<boolean> {
  const { sql } = tx;
  const today = dayNumber(londonClock(at).day);
  const best = await bestOf(one.itemKey);
  const lowest = best === undefined ? null : totalPrice(best);
  const told = one.hasBegun ? one.told : toldAtStart(one.limit, lowest);
  const after = afterLook({ limit: one.limit, told }, lowest);
  const isDue = one.isDue || after.fires;
  const hasRisen = told !== null && after.told === null;
  const was = !one.hasBegun || hasRisen ? lowest : one.was;
  const began = one.began ?? lowest;
  const prices = JSON.stringify(withPrice(one.prices, today, lowest));
  await tx.prepare(LOOKED).run(after.told, was, began, isDue ? 1 : 0, today, prices, one.watch);
  await sql.run`update alert_search_place set fires_below = ${isDue ? 0 : firesBelow(after)} where watch = ${one.watch}`;
  await sql.run`delete from alert_search_best where watch = ${one.watch}`;
  const from = rearmsFrom(after);
  if (best !== undefined && from !== null)
    await tx
      .prepare(SET_BEST)
      .run(one.watch, ...BEST_AT.map((column) => Number(best[column])), goneAt(best), from);
  return isDue;
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
  const some = `select watch from alert_search where ${condition} order by watch limit ${LOOKS}`;
  if ((await database.prepare(some).row()) === undefined) return false;
  await database.write('alerts', async (tx) => {
    const ids = (await tx.prepare(some).rows()).map(([watch]) => Number(watch));
    if (ids.length === 0) return;
    const begun = performance.now();
    const bestOf = bestIn(tx, at);
    const due: number[] = [];
    for (const one of await searchWatches({ session: tx }, `watch in (${ids.join(', ')})`)) {
      if (one.state !== 'active')
        await tx.sql
          .run`update alert_search set must_look = 0, looked_day = ${today} where watch = ${one.watch}`;
      else if (await look(tx, one, bestOf, at)) due.push(one.contact);
      if (performance.now() - begun > LOOKING_MS) break;
    }
    await queueDrops(tx, due, at);
  });
  return true;
}

/** Begins the watches of a person that have just become active, and looks again at those that were paused. */
export async function beginSearches(tx: SqlSession, contact: number, now: number): Promise<void> {
  const bestOf = bestIn(tx, now);
  for (const one of await searchWatches({ session: tx }, `contact = ? and state = 'active'`, contact))
    if (await look(tx, one, bestOf, now)) await queueDrops(tx, [contact], now);
}

function withPrice(prices: DayPrices, today: number, lowest: Pence | null): DayPrices {
  if (lowest === null) return prices;
  const last = prices.at(-1);
  if (last?.[0] !== today) return [...prices, [today, lowest] as const].slice(-MAX_DAY_PRICES);
  return [...prices.slice(0, -1), [today, Math.min(last[1], lowest)]];
}
