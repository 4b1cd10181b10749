import type { SqlInput, SqlValue } from '../storage/sql-database.ts';
import type { Best } from './find-best-per-hotel.ts';
import type { PackageQuestion } from './package-repository.ts';

/** Asks a store; rows are arrays of whole numbers (and, for an offer, its link). */
export type AskStore = (sql: string, values: readonly SqlInput[]) => Promise<SqlValue[][]>;

/** The days and lengths of stay that a question is asked for; stays null: every one that there is. */
export interface Departures {
  days: readonly number[];
  stays: readonly number[] | null;
}

/** What searching needs of an engine. */
export interface SearchStore {
  ask: AskStore;
  /** The condition that an expression is one of a list, bound as one value. */
  anyOf(expression: string): string;
  departures(question: PackageQuestion): Promise<Departures>;
  /** Each hotel's best rank under the question's sort, and the first day on which it has it. */
  bestPerHotel(question: PackageQuestion, departures: Departures): Promise<Best[]>;
}
