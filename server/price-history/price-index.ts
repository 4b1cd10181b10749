import type { DatabaseSync } from 'node:sqlite';
import type { Pence } from '../../domain/money.ts';
import { inTransaction } from '../storage/in-transaction.ts';
import type { DailyPrice } from './daily-prices.ts';
import { firstDayOfMonth } from './departure-month.ts';
import { pricePathReader } from './price-path-table.ts';

/** The packages that one daily index is of; stars are whole, a half counts with the whole below it. */
export interface IndexGroup {
  resort: number;
  departureMonth: number;
  nights: number;
  stars: number;
}

export interface IndexDay extends DailyPrice {
  packages: number;
}

/** Sums over the packages of a group, by hotel: enough for its geometric mean on any day of the hotels' paths. */
export interface GroupSums extends IndexGroup {
  hotels: Map<number, { packages: number; logPrices: number }>;
}

/** Collects the sums of every group from a walk over the offers. */
export function indexCollector(): {
  add(
    resort: number,
    departureMonth: number,
    nights: number,
    halfStars: number,
    hotel: number,
    price: Pence,
  ): void;
  groups(): IterableIterator<GroupSums>;
} {
  const groups = new Map<number, GroupSums>();
  return {
    add(resort, departureMonth, nights, halfStars, hotel, price) {
      const stars = halfStars >> 1;
      const name = ((resort * 4096 + departureMonth) * 128 + nights) * 8 + stars;
      const group = groups.get(name) ?? { resort, departureMonth, nights, stars, hotels: new Map() };
      groups.set(name, group);
      const sums = group.hotels.get(hotel);
      if (sums === undefined) group.hotels.set(hotel, { packages: 1, logPrices: Math.log(price) });
      else {
        sums.packages += 1;
        sums.logPrices += Math.log(price);
      }
    },
    groups: () => groups.values(),
  };
}

/**
 * Writes each group's index for `today`, and, where its hotels have paths and no earlier day was written, for
 * the days of these paths. A geometric mean: one absurd price moves it little.
 */
export function writePriceIndex(database: DatabaseSync, groups: Iterable<GroupSums>, today: number): void {
  const pathOf = pricePathReader(database);
  const put = database.prepare('insert or replace into price_index values (?, ?, ?, ?, ?, ?, ?)');
  const earlier = database.prepare('select exists (select 1 from price_index where day < ?) as found');
  const hasPast = earlier.get(today)?.found === 1;
  const sorted = [...groups].toSorted(
    (a, b) =>
      a.resort - b.resort || a.departureMonth - b.departureMonth || a.nights - b.nights || a.stars - b.stars,
  );
  inTransaction(database, () => {
    for (const group of sorted) {
      for (const { day, packages, price } of hasPast
        ? [indexOn(group, today)]
        : indexWithPast(group, today, pathOf)) {
        put.run(group.resort, group.departureMonth, group.nights, group.stars, day, packages, price);
      }
    }
  });
}

/** The daily index of a group from its first day to its last. */
export function readPriceIndex(database: DatabaseSync, group: IndexGroup): IndexDay[] {
  const rows = database
    .prepare(
      `select day, packages, price from price_index
      where resort = ? and departure_month = ? and nights = ? and stars = ? order by day`,
    )
    .all(group.resort, group.departureMonth, group.nights, group.stars);
  return rows.map(({ day, packages, price }) => ({
    day: Number(day),
    packages: Number(packages),
    price: Number(price),
  }));
}

function indexOn(group: GroupSums, today: number): IndexDay {
  const { packages, logPrices } = totals(group);
  return { day: today, packages, price: Math.round(Math.exp(logPrices / packages)) };
}

function indexWithPast(
  group: GroupSums,
  today: number,
  pathOf: ReturnType<typeof pricePathReader>,
): IndexDay[] {
  const departureDay = firstDayOfMonth(group.departureMonth);
  const paths = [...group.hotels].flatMap(([hotel, { packages }]) => {
    const path = pathOf(hotel, departureDay);
    return path === null ? [] : [{ packages, path }];
  });
  const latest = indexOn(group, today);
  const length = Math.min(...paths.map(({ path }) => path.levels.length));
  if (paths.length < group.hotels.size || !Number.isFinite(length)) return [latest];
  const past = Array.from({ length: length - 1 }, (_, index): IndexDay => {
    const back = length - 1 - index;
    const moved = paths.reduce((sum, { packages, path }) => {
      const last = path.levels.length - 1;
      return sum + packages * ((path.levels[last - back] ?? 0) - (path.levels[last] ?? 0));
    }, 0);
    return {
      ...latest,
      day: today - back,
      price: Math.round(latest.price * Math.exp(moved / latest.packages)),
    };
  });
  return [...past, latest];
}

function totals({ hotels }: GroupSums): { packages: number; logPrices: number } {
  let packages = 0;
  let logPrices = 0;
  for (const sums of hotels.values()) {
    packages += sums.packages;
    logPrices += sums.logPrices;
  }
  return { packages, logPrices };
}
