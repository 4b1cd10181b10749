import type { Pence } from '../../domain/money.ts';
import { monthOfDay } from '../../domain/month.ts';

/** The packages that one daily index is of; stars are whole, a half counts with the whole below it. */
export interface IndexGroup {
  resort: number;
  departureMonth: number;
  nights: number;
  stars: number;
}

/** Sums over the packages of a group, by hotel: enough for its geometric mean on any day of the hotels' paths. */
export interface GroupSums extends IndexGroup {
  hotels: Map<number, { packages: number; logPrices: number }>;
}

/** Collects the sums of every group from a walk over the offers in the order of their departures. */
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
  let walkedDay = Number.NaN;
  let departureMonth = 0;
  return {
    add(departureDay, nights, resort, hotel, halfStars, price) {
      if (departureDay !== walkedDay) {
        walkedDay = departureDay;
        departureMonth = monthOfDay(departureDay);
      }
      const stars = halfStars >> 1;
      // One exact number for the four of them, each under its limit.
      const name = ((resort * 4096 + departureMonth) * 128 + nights) * 8 + stars;
      let group = groups.get(name);
      if (group === undefined) {
        group = { resort, departureMonth, nights, stars, hotels: new Map() };
        groups.set(name, group);
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
