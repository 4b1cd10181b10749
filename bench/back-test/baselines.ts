import { median } from '../../domain/median.ts';
import type { Pence } from '../../domain/money.ts';
import { monthOfDay } from '../../domain/month.ts';
import type { PanelPackage } from './market-panel.ts';

/** A year in whole weeks, so that weekdays meet weekdays. */
const YEAR_DAYS = 364;

/** Fewer prices than this are no baseline. */
const MIN_PRICES = 7;

/** More than this change no median worth the time. */
const MAX_PRICES = 60;

/** What a buyer without a model would go by; null where there is too little. */
export interface Baselines {
  /** The median of packages of the same resort, month, nights and board, at most half a star away, on a day. */
  comparable(one: PanelPackage, day: number): Pence | null;
  /** The median of packages of the same resort, nights and whole stars that departed a year before, a year before. */
  lastYear(one: PanelPackage, day: number): Pence | null;
}

export function baselines(panel: readonly PanelPackage[]): Baselines {
  const byPlace = Map.groupBy(panel, ({ priced }) =>
    placeName(priced.resort, monthOfDay(priced.departureDay), priced.nights),
  );
  const at = (one: PanelPackage, monthsBack: number) =>
    byPlace.get(
      placeName(one.priced.resort, monthOfDay(one.priced.departureDay) - monthsBack, one.priced.nights),
    ) ?? [];
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

function placeName(resort: number, month: number, nights: number): string {
  return `${resort}/${month}/${nights}`;
}
