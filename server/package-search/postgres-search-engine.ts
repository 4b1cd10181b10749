import type { RowReader } from '../storage/sql-database.ts';
import { offerConditions } from './offer-conditions.ts';
import type { PackageQuery } from './package-repository.ts';
import { dayOfRank, RANK_SQL } from './rank.ts';
import { type Best, countingReader, type Departures, type SearchEngine } from './search-engine.ts';

/** A rank and a day in one number: days stay below this, and ranks without a day far below 2^38. */
const DAY_SPAN = 2 ** 15;

/** Searches a store in PostgreSQL. */
export function postgresSearchEngine(reader: RowReader): SearchEngine {
  const counting = countingReader(reader);
  return {
    rows: counting.rows,
    anyOf: counting.anyOf,
    async departures({ firstDay, lastDay, nights }) {
      const length = Math.max(0, lastDay - firstDay + 1);
      return {
        days: Array.from({ length }, (_, index) => firstDay + index),
        stays: nights === null ? null : [nights],
      };
    },
    bestPerHotel: (query, departures) => bestInStore(counting, query, departures),
    get statements() {
      return counting.statements;
    },
  };
}

/** Groups in the store, so that only one number per hotel crosses the network. */
async function bestInStore(reader: RowReader, query: PackageQuery, departures: Departures): Promise<Best[]> {
  const { sort } = query;
  const rank = RANK_SQL[sort];
  const hasDay = dayOfRank(sort, 0) !== null;
  const best = hasDay ? `min(${rank})` : `min(cast(${rank} as bigint) * ${DAY_SPAN} + departure_day)`;
  const { sql, values } = offerConditions(reader, query, departures);
  const rows = await reader.rows(`select hotel, ${best} from offer where ${sql} group by hotel`, values);
  return (rows as [number, number][]).map(([hotel, value]) =>
    hasDay
      ? { hotel, rank: value, day: dayOfRank(sort, value) ?? 0 }
      : { hotel, rank: Math.floor(value / DAY_SPAN), day: value % DAY_SPAN },
  );
}
