import { firstDayOfMonth } from '../../domain/month.ts';
import { batchesOf } from '../lib/batches.ts';
import { inTransaction } from '../storage/in-transaction.ts';
import { rowInserter } from '../storage/open/row-inserter.ts';
import type { SqlDatabase, SqlValue } from '../storage/sql-database.ts';
import { type GroupSums, type IndexGroup, LOG_UNIT } from './index-collector.ts';
import { decodeIndexDays, encodeIndexDays, type IndexDay } from './index-days.ts';
import { pricePathReader } from './price-path-table.ts';

/** The number of days that an index keeps. */
const KEPT_DAYS = 400;

/** Groups in one transaction: clicks and sign-ups wait for the write lock of the embedded store. */
const TOGETHER = 5_000;

/**
 * Writes each group's index for `today`, replacing an earlier one of the same day. A new group whose hotels have price
 * paths is backfilled from them. Groups are written in several transactions: after an interruption, write them again.
 */
export function writePriceIndex(database: SqlDatabase, groups: Iterable<GroupSums>, today: number): void {
  const pathOf = pricePathReader(database);
  const read = indexReader(database);
  const keys = ['resort', 'departure_month', 'nights', 'stars'];
  const update = ['first_day', 'days'];
  const index = rowInserter(database, { table: 'price_index', columns: [...keys, ...update], keys, update });

  function* rows(): Generator<SqlValue[]> {
    for (const group of groups) {
      const known = read(group).filter(({ day }) => day > today - KEPT_DAYS && day < today);
      const past = known.length > 0 ? known : backfilledDays(group, today, pathOf);
      const { firstDay, bytes } = encodeIndexDays([...past, indexOn(group, today)]);
      yield [group.resort, group.departureMonth, group.nights, group.stars, firstDay, bytes];
    }
  }

  for (const some of batchesOf(rows(), TOGETHER)) {
    inTransaction(database, () => index.insert(some), 'history');
  }
}

/** Reads the daily index of a group in ascending order; empty if there is none. */
export function indexReader(database: SqlDatabase): (group: IndexGroup) => IndexDay[] {
  const find = database.prepare(
    `select first_day, days from price_index
    where resort = ? and departure_month = ? and nights = ? and stars = ?`,
  );
  return ({ resort, departureMonth, nights, stars }) => {
    const row = find.get(resort, departureMonth, nights, stars);
    return row?.days instanceof Uint8Array ? decodeIndexDays(Number(row.first_day), row.days) : [];
  };
}

function indexOn(group: GroupSums, today: number): IndexDay {
  const packages = sumOverHotels(group, (hotel) => hotel.packages);
  const logPrices = sumOverHotels(group, (hotel) => hotel.logPrices);
  return { day: today, packages, price: Math.round(Math.exp((logPrices * LOG_UNIT) / packages)) };
}

/** The days before today, from the price paths of the group's hotels; empty if a hotel has no path. */
function backfilledDays(
  group: GroupSums,
  today: number,
  pathOf: ReturnType<typeof pricePathReader>,
): IndexDay[] {
  const departureDay = firstDayOfMonth(group.departureMonth);
  // In one order, so that the sums of their levels do not depend on that of the offers.
  const hotels = [...group.hotels].toSorted(([one], [other]) => one - other);
  const paths = hotels.map(([hotel, { packages }]) => ({
    packages,
    levels: pathOf(hotel, departureDay)?.levels ?? [],
  }));
  const length = Math.min(...paths.map(({ levels }) => levels.length));
  const latest = indexOn(group, today);
  return Array.from({ length: Math.max(0, length - 1) }, (_, index) => {
    const back = length - 1 - index;
    const moved = paths.reduce((sum, { packages, levels }) => {
      const last = levels.length - 1;
      return sum + packages * ((levels[last - back] ?? 0) - (levels[last] ?? 0));
    }, 0);
    const price = Math.round(latest.price * Math.exp(moved / latest.packages));
    return { day: today - back, packages: latest.packages, price };
  });
}

function sumOverHotels(
  { hotels }: GroupSums,
  select: (hotel: { packages: number; logPrices: number }) => number,
): number {
  let sum = 0;
  for (const hotel of hotels.values()) sum += select(hotel);
  return sum;
}
