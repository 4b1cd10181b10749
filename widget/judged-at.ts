import { dayNumber } from '../domain/calendar-date.ts';
import { poundsToPence } from '../domain/money.ts';
import type { PriceAnalysisResponse } from '../domain/price-analysis-response.ts';
import { levelOf } from '../domain/price-verdict.ts';
import { factsSentence, VERDICT_LABEL } from '../domain/price-verdict-words.ts';

const LEVEL = { low: 'LOW', typical: 'TYPICAL', high: 'HIGH' } as const;

/** The analysis at the price in pounds that the provider has confirmed, which the service may not know yet. */
export function judgedAt(found: PriceAnalysisResponse, price: number): PriceAnalysisResponse {
  const { evidence, expected, change } = found;
  if (evidence === null) return found;
  const pence = poundsToPence(price);
  const band = expected && { low: poundsToPence(expected.low), high: poundsToPence(expected.high) };
  const ownMedian = evidence.own && poundsToPence(evidence.own.median);
  const level = levelOf(pence, band, ownMedian);
  const moved = change && {
    amount: poundsToPence(change.amount + price - found.price),
    since: dayNumber(change.since),
  };
  return {
    ...found,
    price,
    level: level === null ? 'NO_VERDICT' : LEVEL[level],
    label: level === null ? 'No verdict' : VERDICT_LABEL[level],
    sentence: factsSentence({ price: pence, change: moved, band, ownMedian }),
  };
}
