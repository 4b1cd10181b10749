import { fromDayNumber } from '../../domain/calendar-date.ts';
import type { DailyPrice } from '../../domain/daily-prices.ts';
import type { Pence } from '../../domain/money.ts';
import type { PriceAnalysisAnswer } from '../../domain/price-analysis-answer.ts';
import {
  NOT_ENOUGH_PRICES,
  PRICE_LEVEL_LABEL,
  type PriceComparison,
  type PriceVerdict,
} from '../../domain/price-verdict.ts';
import type { PriceAnalysis, PriceEvidence } from './analyse-prices.ts';

type Answer<Field extends keyof PriceAnalysisAnswer> = NonNullable<PriceAnalysisAnswer[Field]>;

const LEVEL = { low: 'LOW', typical: 'TYPICAL', high: 'HIGH' } as const;

/** An analysis in the form that the API returns. */
export function toPriceAnalysisAnswer(analysis: PriceAnalysis): PriceAnalysisAnswer {
  const { itemKey, price, seenAt, verdict, evidence } = analysis;
  return {
    itemKey,
    price: pounds(price),
    asOf: new Date(seenAt * 60_000).toISOString(),
    level: verdict.kind === 'verdict' ? LEVEL[verdict.level] : 'NOT_ENOUGH_PRICES',
    label: verdict.kind === 'verdict' ? PRICE_LEVEL_LABEL[verdict.level] : NOT_ENOUGH_PRICES,
    evidence: verdict.kind === 'verdict' && evidence !== null ? evidenceAnswer(verdict, evidence) : null,
    expected: evidence?.expected ? expectedAnswer(evidence.expected) : null,
    drop: evidence?.drop ?? null,
  };
}

function expectedAnswer({
  price,
  low,
  high,
  reasons,
  version,
}: NonNullable<PriceEvidence['expected']>): Answer<'expected'> {
  return {
    price: pounds(price),
    low: pounds(low),
    high: pounds(high),
    reasons: reasons.map(({ label, amount }) => ({ label, amount: pounds(amount) })),
    modelVersion: version,
  };
}

function evidenceAnswer(
  verdict: PriceVerdict & { kind: 'verdict' },
  evidence: PriceEvidence,
): Answer<'evidence'> {
  const { from, history, windowDays, sample, comparedWith } = evidence;
  return {
    typicalLow: pounds(verdict.typicalLow),
    typicalHigh: pounds(verdict.typicalHigh),
    own: comparisonAnswer(verdict.own),
    comparable: comparisonAnswer(verdict.comparable),
    comparedWith,
    windowDays,
    knownSince: fromDayNumber(from.day),
    sample,
    history: history.points.map(pointAnswer),
    lowest: pointAnswer(history.lowest),
    latest: pointAnswer(history.latest),
  };
}

function comparisonAnswer({
  median,
  prices,
  percent,
  level,
  strong,
}: PriceComparison): Answer<'evidence'>['own'] {
  return { median: pounds(median), prices, percent, level: LEVEL[level], strong };
}

function pointAnswer({ day, price }: DailyPrice): Answer<'evidence'>['lowest'] {
  return { day: fromDayNumber(day), price: pounds(price) };
}

function pounds(pence: Pence): number {
  return Math.round(pence) / 100;
}
