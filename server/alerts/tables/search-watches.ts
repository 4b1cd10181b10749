import * as v from 'valibot';
import type { Pence } from '../../../domain/money.ts';
import type { AlertSession } from './alert-store.ts';

type Sql = Pick<AlertSession, 'sql'>;

/** The `item_key` of a watch of a search is its query. A package's key never begins with a question mark. */
export function isSearchKey(itemKey: string): boolean {
  return itemKey.startsWith('?');
}

/** The lowest total of each day on which a search ran, oldest first. */
export type DayPrices = readonly (readonly [day: number, price: Pence])[];

const dayPrices = v.pipe(v.string(), v.parseJson(), v.array(v.tuple([v.number(), v.number()])));

/** A watch of a search, with its prices. */
export interface SearchWatch {
  watch: number;
  contact: number;
  number: number;
  /** A question mark and the query. */
  itemKey: string;
  state: 'asked' | 'active' | 'paused' | 'ended';
  limit: Pence;
  booked: Pence | null;
  told: Pence | null;
  was: Pence | null;
  began: Pence | null;
  hasBegun: boolean;
  isDue: boolean;
  prices: DayPrices;
}

const COLUMNS = `watch, contact, number, item_key, state, limit_price, booked_price, told, was, began, has_begun, is_due, prices
  from alert_search join alert_watch on id = watch`;

/** One row of `alert_search_place` without its watch: what a package must be like for the search to find it. */
export interface WatchedPlaces {
  places: readonly string[];
  party: string;
  /** A width (see `WIDTHS`), first and last day, least and most nights, and the masks of airports, boards and stars. */
  values: readonly number[];
}

/** Adds what a watch of a search has beside its `alert_watch`. */
export async function addSearch(
  { sql, session }: Pick<AlertSession, 'sql' | 'session'>,
  watch: number,
  { limit, booked, began = null }: { limit: Pence; booked: Pence | null; began?: Pence | null },
  { places, party, values }: WatchedPlaces,
): Promise<void> {
  await sql.run`insert into alert_search (watch, limit_price, booked_price, began)
    values (${watch}, ${limit}, ${booked}, ${began})`;
  await session.addRows(
    'alert_search_place',
    ['place', 'party', 'watch', ...SEARCH_TRAITS],
    places.map((place) => [place, party, watch, ...values]),
  );
}

/** The columns of `values` of `WatchedPlaces`. */
export const SEARCH_TRAITS = [
  'width',
  'first_day',
  'last_day',
  'least_nights',
  'most_nights',
  'airports',
  'boards',
  'stars',
];

/** The watches of searches that meet a condition. */
export async function searchWatches(
  { session }: Pick<AlertSession, 'session'>,
  condition: string,
  ...values: (number | string)[]
): Promise<SearchWatch[]> {
  const rows = await session.prepare(`select ${COLUMNS} where ${condition}`).all(...values);
  const pence = (value: unknown) => (typeof value === 'number' ? value : null);
  return rows.map((row) => ({
    watch: Number(row.watch),
    contact: Number(row.contact),
    number: Number(row.number),
    itemKey: String(row.item_key),
    state: row.state as SearchWatch['state'],
    limit: Number(row.limit_price),
    booked: pence(row.booked_price),
    told: pence(row.told),
    was: pence(row.was),
    began: pence(row.began),
    hasBegun: row.has_begun === 1,
    isDue: row.is_due === 1,
    prices: v.parse(dayPrices, row.prices),
  }));
}

export async function searchWatchOf(store: AlertSession, watch: number): Promise<SearchWatch | null> {
  return (await searchWatches(store, 'watch = ?', watch))[0] ?? null;
}

/** Changes what deserves a message. The watch begins again at the next look. */
export async function changeSearchLimit(
  { sql }: Sql,
  watch: number,
  { limit, booked }: { limit: Pence; booked: Pence | null },
): Promise<void> {
  await sql.run`update alert_search set limit_price = ${limit}, booked_price = ${booked}, has_begun = 0, told = null,
    is_due = 0, must_look = 1 where watch = ${watch}`;
}

/** A total that a message tells to a watch of a search, and what its row had before. */
export interface ToldPrice {
  price: Pence;
  before: Pence | null;
  was: Pence | null;
}

/** Records the total of a message that is being sent. The next look adapts what depends on it. */
export async function tellSearch({ sql }: Sql, watch: number, { price }: ToldPrice): Promise<void> {
  await sql.run`update alert_search set told = ${price}, was = ${price}, is_due = 0, must_look = 1
    where watch = ${watch}`;
}

/** Undoes `tellSearch`, because the message will be composed again. */
export async function untellSearch(
  { sql }: Sql,
  watch: number,
  { price, before, was }: ToldPrice,
): Promise<void> {
  await sql.run`update alert_search set told = ${before}, was = ${was}, is_due = 1, must_look = 1
    where watch = ${watch} and told = ${price}`;
}

/** Drops the due message of a watch, because its total has risen. The next look adapts what depends on it. */
export async function dropDue({ sql }: Sql, watch: number): Promise<void> {
  await sql.run`update alert_search set is_due = 0, must_look = 1 where watch = ${watch}`;
}
