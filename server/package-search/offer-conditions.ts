import type { KEY_COLUMNS } from '../storage/offer-columns.ts';
import type { SqlInput } from '../storage/sql-database.ts';
import type { PackageQuestion } from './package-repository.ts';

/** A condition in SQL, and the values of its parameters in their order. */
export interface Conditions {
  sql: string;
  values: SqlInput[];
}

/**
 * What a question asks of an offer, departing on one of `days`. Days and stays are lists, never `between`:
 * only so does the store walk one short range of the key for each of them.
 */
export function offerConditions(
  question: PackageQuestion,
  days: readonly number[],
  stays: readonly number[],
): Conditions {
  const lists: [column: (typeof KEY_COLUMNS)[number] | 'half_stars', ids: readonly number[] | null][] = [
    ['departure_day', days],
    ['nights', stays],
    ['party', [question.party]],
    ['country', question.countries],
    ['region', question.regions],
    ['resort', question.resorts],
    ['airport', question.airports],
    ['board', question.boards],
    ['provider', question.providers],
    ['half_stars', question.halfStars],
  ];
  const asked = lists.flatMap(([column, ids]) => (ids === null ? [] : [{ column, ids }]));
  return {
    sql: [
      ...asked.map(({ column }) => `${column} in (select value from json_each(?))`),
      'departure_day + nights <= ?',
      'expires_at > ?',
    ].join(' and '),
    values: [...asked.map(({ ids }) => ids), question.lastReturnDay, question.now],
  };
}
