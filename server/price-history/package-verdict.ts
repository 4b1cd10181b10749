import type { Pence } from '../../domain/money.ts';
import { judgePrice, type PriceJudgement } from '../../domain/price-verdict.ts';
import { expectedPrice, type HedonicModel } from './model/hedonic-model.ts';
import type { PricedPackage } from './model/price-traits.ts';

/** What a verdict needs to know about a package. Days count from 1970-01-01. */
export interface PackageFacts {
  priced: PricedPackage;
  /** What the visitor pays in total. */
  price: Pence;
  today: number;
  /** Whole days since the price was last seen, and the number above which it is stale. */
  daysSinceSeen: number;
  staleAfterDays: number;
  /** The package's daily prices in total, over the last year. */
  ownPrices: readonly Pence[];
  /** Adds the charges at the hotel to a provider's price. */
  totalAt(price: Pence): Pence;
}

/** A package's verdict, with the band that it rests on. The page and the back-test use this function. */
export function packageVerdict(facts: PackageFacts, model: HedonicModel | null): PriceJudgement {
  const { priced, today, totalAt } = facts;
  const estimate = model && expectedPrice(model, priced, today);
  return judgePrice({
    ...facts,
    expected: estimate && {
      price: totalAt(estimate.price),
      low: totalAt(estimate.low),
      high: totalAt(estimate.high),
    },
  });
}
