import type { HedonicModel } from '../../server/price-history/model/hedonic-model.ts';
import { holidayName } from '../../server/price-history/model/price-traits.ts';
import { packageVerdict } from '../../server/price-history/package-verdict.ts';
import { dailyPricesOf, type PanelPackage } from './market-panel.ts';

/** A package's verdict, and what happened to its price. */
export interface VerdictOutcome {
  kind: 'low' | 'typical' | 'high' | 'check-price' | 'none';
  isHoliday: boolean;
  /** The relative change a fortnight later: 0.1 means 10% dearer. */
  change: number;
}

const LATER_DAYS = 14;
const HISTORY_DAYS = 90;
const STALE_AFTER_DAYS = 3;

/** Each package's verdict on `day`, with how its price changed in the following fortnight. */
export function verdictOutcomes(
  tried: readonly PanelPackage[],
  model: HedonicModel,
  day: number,
): VerdictOutcome[] {
  return tried.map((one) => {
    const price = one.priceOn(day);
    const { verdict } = packageVerdict(
      {
        priced: one.priced,
        price,
        today: day,
        daysSinceSeen: 0,
        staleAfterDays: STALE_AFTER_DAYS,
        ownPrices: dailyPricesOf(one, day - HISTORY_DAYS, day).map((daily) => daily.price),
        totalAt: (amount) => amount,
      },
      model,
    );
    return {
      kind: verdict ?? 'none',
      isHoliday: holidayName(one.priced.departureDay, one.priced.nation) !== '',
      change: one.priceOn(day + LATER_DAYS) / price - 1,
    };
  });
}
