import type { Pence } from '../../domain/money.ts';
import { monthOfDay } from '../../domain/month.ts';

/** The packages that a daily index covers. Stars are whole, half stars rounded down. */
export interface IndexGroup {
  resort: number;
  departureMonth: number;
  nights: number;
  stars: number;
}

/** Sums over the packages of a group by hotel, from which its geometric mean on any day of the price paths follows. */
export interface GroupSums extends IndexGroup {
  hotels: Map<number, { packages: number; logPrices: number }>;
}

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
      const sums = group.hotels.get(hotel);
      if (sums === undefined) {
        group.hotels.set(hotel, { packages: 1, logPrices: Math.log(price) });
      } else {
        sums.packages += 1;
        sums.logPrices += Math.log(price);
      }
    },
    groups: () => groups.values(),
  };
}
