import type { RowReader, SqlInput } from '../../storage/sql-database.ts';
import type { OfferFilters } from './package-repository.ts';
import type { Departures } from './search-engine.ts';

/** An SQL condition with its values. */
export interface Conditions {
  sql: string;
  values: SqlInput[];
}

/**
 * The conditions for a query's offers on the given days. Days and stays are lists, not `between`, so that the
 * store reads one short key range for each. A list of one becomes an equality, for simpler plans.
 */
export function offerConditions(
  reader: Pick<RowReader, 'anyOf' | 'anyOfRows'>,
  query: OfferFilters,
  { days, stays }: Departures,
): Conditions {
  const { sql, values } = listConditions(reader, query, stays, [
    ['departure_day', days],
    ['nights', stays],
    ['party', [query.party]],
    ...placeLists(query),
    ['airport', query.airports],
    ['board', query.boards],
    ['provider', query.providers],
    ['half_stars', query.halfStars],
    ...(query.lists ?? []),
  ]);
  return {
    sql: `${sql} and departure_day + nights <= ? and expires_at > ?`,
    values: [...values, query.lastReturnDay, query.now],
  };
}

/** The conditions that columns have one of the listed values, and the place is one of the query's. */
export function listConditions(
  reader: Pick<RowReader, 'anyOf' | 'anyOfRows'>,
  query: OfferFilters,
  stays: Departures['stays'],
  lists: readonly (readonly [column: string, ids: readonly number[] | null])[],
): Conditions {
  const { places } = query;
  const conditions = [
    ...lists.flatMap(([column, ids]) => (ids === null ? [] : [isAmong(reader.anyOf, column, ids)])),
    ...(places ? [{ sql: reader.anyOfRows(PLACES.slice(0, places.levels)), value: places.rows }] : []),
  ];
  return {
    sql: [
      ...conditions.map(({ sql }) => sql),
      ...(stays === null ? ['nights = any(array(select nights from stay))'] : []),
    ].join(' and '),
    values: conditions.map(({ value }) => value),
  };
}

const PLACES = ['country', 'region', 'resort'];

/** The lists for the query's place. Empty for several places, which have one condition for all three columns. */
export function placeLists(query: OfferFilters): [column: string, ids: readonly number[] | null][] {
  if (query.places !== undefined) return [];
  return [
    ['country', query.countries],
    ['region', query.regions],
    ['resort', query.resorts],
  ];
}

function isAmong(
  anyOf: RowReader['anyOf'],
  column: string,
  ids: readonly number[],
): { sql: string; value: SqlInput } {
  const [id, ...others] = ids;
  return id !== undefined && others.length === 0
    ? { sql: `${column} = ?`, value: id }
    : { sql: anyOf(column), value: ids };
}
