import type { RowReader } from '../storage/sql-database.ts';
import type { PackageQuery } from './package-repository.ts';

/** The days and lengths of stay that a query covers; null: every length of stay in the store. */
export interface Departures {
  days: readonly number[];
  stays: readonly number[] | null;
}

/** A hotel's best rank under a query's sort, and the first day on which it has that rank. */
export interface Best {
  hotel: number;
  rank: number;
  day: number;
}

/** What a search needs of a store, for one query. Each storage engine has one. */
export interface SearchEngine extends RowReader {
  departures(query: PackageQuery): Promise<Departures>;
  bestPerHotel(query: PackageQuery, departures: Departures): Promise<Best[]>;
  /** How many statements it has run. */
  readonly statements: number;
}

/** A reader that counts its statements. */
export function countingReader({ rows, anyOf }: RowReader): RowReader & { readonly statements: number } {
  let statements = 0;
  return {
    anyOf,
    rows(sql, values) {
      statements += 1;
      return rows(sql, values);
    },
    get statements() {
      return statements;
    },
  };
}
