import type { KEY_COLUMNS } from '../inventory/offer-columns.ts';
import type { SqlInput } from '../storage/sql-database.ts';
import type { PackageQuestion } from './package-repository.ts';
import type { Departures, SearchStore } from './search-store.ts';

/** A condition in SQL, and the values of its parameters in their order. */
export interface Conditions {
  sql: string;
  values: SqlInput[];
}

/**
 * What a question asks of an offer that departs on one of the days. Days and stays are lists, never `between`:
 * only so does the store walk one short range of the key for each of them. A list of one, as most are, is written
 * as what it is: the engine then need not plan for more.
 */
export function offerConditions(
  { anyOf }: Pick<SearchStore, 'anyOf'>,
  question: PackageQuestion,
  { days, stays }: Departures,
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
  const asked = lists.flatMap(([column, ids]) => (ids === null ? [] : [isAmong(anyOf, column, ids)]));
  return {
    sql: [
      ...asked.map(({ sql }) => sql),
      ...(stays === null ? ['nights = any(array(select nights from stay))'] : []),
      'departure_day + nights <= ?',
      'expires_at > ?',
    ].join(' and '),
    values: [...asked.map(({ value }) => value), question.lastReturnDay, question.now],
  };
}

function isAmong(
  anyOf: SearchStore['anyOf'],
  column: string,
  ids: readonly number[],
): { sql: string; value: SqlInput } {
  const [id, ...others] = ids;
  return id !== undefined && others.length === 0
    ? { sql: `${column} = ?`, value: id }
    : { sql: anyOf(column), value: ids };
}
