import type { Pence } from '../../domain/money.ts';
import { monthOfDay } from '../../domain/month.ts';

/** The packages that a daily index covers. Stars are whole, half stars rounded down. */
export interface IndexGroup {
  resort: number;
  departureMonth: number;
  nights: number;
  stars: number;
}

/**
 * Sums over the packages of a group by hotel, from which its geometric mean on any day of the price paths follows.
 * `logPrices` is in units of `LOG_UNIT`.
 */
export interface GroupSums extends IndexGroup {
  hotels: Map<number, { packages: number; logPrices: number }>;
}

/** Whole numbers of this unit have the same sum in any order; a day with a million packages in a group is below 2^53. */
export const LOG_UNIT = 2 ** -26;

/** Collects the sums of every group. Fastest if offers are added in order of departure. */
export function indexCollector(): {
  add(
    departureDay: number,
    nights: number,
    resort: number,
    hotel: number,
    halfStars: number,
    price: Pence,
  ): void;
  groups(): IterableIterator<GroupSums>;
} {
  const groups = new Map<number, GroupSums>();
  let currentDay = Number.NaN;
  let departureMonth = 0;
  return {
    add(departureDay, nights, resort, hotel, halfStars, price) {
      if (departureDay !== currentDay) {
        currentDay = departureDay;
        departureMonth = monthOfDay(departureDay);
      }
      const stars = halfStars >> 1;
      // The four values packed into one safe integer.
      const groupKey = ((resort * 4096 + departureMonth) * 128 + nights) * 8 + stars;
      let group = groups.get(groupKey);
      if (group === undefined) {
        group = { resort, departureMonth, nights, stars, hotels: new Map() };
        groups.set(groupKey, group);
      }
      const logPrice = Math.round(Math.log(price) / LOG_UNIT);
      const sums = group.hotels.get(hotel);
      if (sums === undefined) {
        group.hotels.set(hotel, { packages: 1, logPrices: logPrice });
      } else {
        sums.packages += 1;
        sums.logPrices += logPrice;
      }
    },
    groups: () => groups.values(),
  };
}
