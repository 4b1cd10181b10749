import { median } from '../../domain/median.ts';
import type { Pence } from '../../domain/money.ts';
import { monthOfDay } from '../../domain/month.ts';
import type { PricedPackage } from '../../server/price-history/model/price-traits.ts';
import type { PanelPackage } from './market-panel.ts';

/** A year in whole weeks, so that equal weekdays are compared. */
const YEAR_DAYS = 364;

const MIN_PRICES = 7;

/** Enough prices: with more, the median would hardly change. */
const MAX_PRICES = 60;

export interface Baselines {
  /**
   * The median price on `day` for the same resort, month, nights, party and board, within half a star.
   */
  comparable(one: PanelPackage, day: number): Pence | null;
  /**
   * The median price a year before `day` for the same resort, nights, party and whole stars, with departures a
   * year before.
   */
  lastYear(one: PanelPackage, day: number): Pence | null;
}

export function baselines(panel: readonly PanelPackage[]): Baselines {
  const byPlace = Map.groupBy(panel, ({ priced }) => placeName(priced, 0));
  const at = (one: PanelPackage, monthsBack: number) => byPlace.get(placeName(one.priced, monthsBack)) ?? [];
  const middle = (some: readonly PanelPackage[], day: number) =>
    some.length < MIN_PRICES ? null : median(some.slice(0, MAX_PRICES).map((other) => other.priceOn(day)));
  return {
    comparable: (one, day) =>
      middle(
        at(one, 0).filter(
          (other) =>
            other !== one &&
            other.priced.board === one.priced.board &&
            Math.abs(other.priced.halfStars - one.priced.halfStars) <= 1 &&
            other.priced.departureDay > day,
        ),
        day,
      ),
    lastYear: (one, day) =>
      middle(
        at(one, 12).filter(
          (other) =>
            other.priced.halfStars >> 1 === one.priced.halfStars >> 1 &&
            other.priced.departureDay > day - YEAR_DAYS,
        ),
        day - YEAR_DAYS,
      ),
  };
}

function placeName({ resort, departureDay, nights, party }: PricedPackage, monthsBack: number): string {
  return `${resort}/${monthOfDay(departureDay) - monthsBack}/${nights}/${party}`;
}
