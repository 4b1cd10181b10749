import type { OfferRow } from '../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import type { SqlInput } from '../storage/sql-database.ts';
import { offerConditions } from './offer-conditions.ts';
import type { FoundPage, PackageQuestion } from './package-repository.ts';
import { RANK_SQL } from './rank.ts';
import type { AskStore, Departures, SearchStore } from './search-store.ts';

/** What orders an answer after the rank; with it, every offer has one place and no other. */
const ORDER_COLUMNS: readonly (typeof KEY_COLUMNS)[number][] = [
  'hotel',
  ...KEY_COLUMNS.filter((column) => column !== 'hotel'),
];

/** A page of every offer that matches (`SEARCH_COLLAPSE=none`). */
export async function findEveryOffer(
  store: SearchStore,
  question: PackageQuestion,
  departures: Departures,
): Promise<Omit<FoundPage, 'statements'>> {
  const rank = RANK_SQL[question.sort];
  const order = [`(${rank})`, ...ORDER_COLUMNS].join(', ');
  const { sql, values } = offerConditions(store, question, departures);
  const after = question.after;
  const beyond = after === null ? '' : ` and (${order}) > (${after.map(() => '?').join(', ')})`;
  const found = (await store.ask(
    `select ${rank}, ${OFFER_COLUMNS.join(', ')} from offer where ${sql}${beyond} order by ${order} limit ?`,
    [...values, ...(after ?? []), question.limit + 1],
  )) as unknown as [rank: number, ...offer: OfferRow][];

  const page = found.slice(0, question.limit);
  const last = page.at(-1);
  const more = found.length > page.length && last !== undefined;
  // A short first page has been counted by being read.
  const counted = after === null && !more ? page.length : question.knownCount;
  return {
    offers: page.map(([, ...offer]) => offer as unknown as OfferRow),
    next: more ? placeOf(last) : null,
    count: counted ?? (await countOffers(store.ask, sql, values)),
  };
}

async function countOffers(ask: AskStore, sql: string, values: readonly SqlInput[]): Promise<number> {
  const [row] = await ask(`select count(*) from offer where ${sql}`, values);
  return Number(row?.[0]);
}

function placeOf([rank, ...offer]: [rank: number, ...offer: OfferRow]): number[] {
  const value = (column: (typeof KEY_COLUMNS)[number]) => Number(offer[OFFER_COLUMNS.indexOf(column)]);
  return [rank, ...ORDER_COLUMNS.map(value)];
}
