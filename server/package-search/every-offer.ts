import type { OfferRow } from '../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import { type Conditions, offerConditions } from './offer-conditions.ts';
import type { FoundPage, PackageQuery } from './package-repository.ts';
import { RANK_SQL } from './rank.ts';
import type { Departures, SearchEngine } from './search-engine.ts';

/** Orders offers of equal rank. With it the order is total. */
const ORDER_COLUMNS: readonly (typeof KEY_COLUMNS)[number][] = [
  'hotel',
  ...KEY_COLUMNS.filter((column) => column !== 'hotel'),
];

/** A page of every matching offer (`SEARCH_COLLAPSE=none`). */
export async function everyOffer(
  engine: SearchEngine,
  query: PackageQuery,
  departures: Departures,
): Promise<Omit<FoundPage, 'statements'>> {
  const rank = RANK_SQL[query.sort];
  const order = [`(${rank})`, ...ORDER_COLUMNS].join(', ');
  const conditions = offerConditions(engine, query, departures);
  const { sql, values } = conditions;
  const after = query.after;
  const following = after === null ? '' : ` and (${order}) > (${after.map(() => '?').join(', ')})`;
  const found = (await engine.rows(
    `select ${rank}, ${OFFER_COLUMNS.join(', ')} from offer where ${sql}${following} order by ${order} limit ?`,
    [...values, ...(after ?? []), query.limit + 1],
  )) as unknown as [rank: number, ...offer: OfferRow][];

  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  const hasMore = found.length > page.length && last !== undefined;
  // A first page without a next one has read every match.
  const count = after === null && !hasMore ? page.length : query.knownCount;
  return {
    offers: page.map(([, ...offer]) => offer as unknown as OfferRow),
    next: hasMore ? placeOf(last) : null,
    isTooWide: false,
    count: count ?? (await countOffers(engine, conditions)),
  };
}

async function countOffers(engine: SearchEngine, { sql, values }: Conditions): Promise<number> {
  const [row] = await engine.rows(`select count(*) from offer where ${sql}`, values);
  return Number(row?.[0]);
}

function placeOf([rank, ...offer]: [rank: number, ...offer: OfferRow]): number[] {
  return [rank, ...ORDER_COLUMNS.map((column) => Number(offer[OFFER_COLUMNS.indexOf(column)]))];
}
