import { fromDayNumber } from '../../domain/calendar-date.ts';
import type { DailyPrice } from '../../domain/daily-prices.ts';
import type { Pence } from '../../domain/money.ts';
import type { PriceAnalysisResponse } from '../../domain/price-analysis-response.ts';
import type { PriceAbstention, PriceComparison, PriceVerdict } from '../../domain/price-verdict.ts';
import { verdictLabel, verdictSentence } from '../../domain/price-verdict-words.ts';
import type { PriceAnalysis, PriceEvidence } from './analyse-prices.ts';

type Answer<Field extends keyof PriceAnalysisResponse> = NonNullable<PriceAnalysisResponse[Field]>;

const LEVEL = { low: 'LOW', typical: 'TYPICAL', high: 'HIGH' } as const;

const ABSTENTION = {
  stale: 'STALE',
  'few-own-prices': 'FEW_OWN_PRICES',
  'few-comparable-prices': 'FEW_COMPARABLE_PRICES',
  'few-comparable-hotels': 'FEW_COMPARABLE_HOTELS',
} as const satisfies Record<PriceAbstention['kind'], Answer<'abstention'>>;

/** An analysis in the API's form. */
export function toPriceAnalysisResponse(analysis: PriceAnalysis): PriceAnalysisResponse {
  const { itemKey, price, seenAt, holiday, lowest30, verdict, evidence, advice } = analysis;
  return {
    itemKey,
    price: pounds(price),
    asOf: new Date(seenAt * 60_000).toISOString(),
    level: levelResponse(verdict),
    label: verdictLabel(verdict),
    sentence: verdictSentence(verdict),
    abstention: verdict.kind === 'no-verdict' ? ABSTENTION[verdict.reason.kind] : null,
    holiday,
    lowest30: lowest30 && { ...pointResponse(lowest30), days: lowest30.days },
    evidence: verdict.kind === 'verdict' && evidence !== null ? evidenceResponse(verdict, evidence) : null,
    expected: evidence?.expected ? expectedResponse(evidence.expected) : null,
    drop: null,
    advice,
  };
}

function levelResponse(verdict: PriceVerdict): PriceAnalysisResponse['level'] {
  if (verdict.kind === 'verdict') return LEVEL[verdict.level];
  return verdict.kind === 'check-price' ? 'CHECK_PRICE' : 'NOT_ENOUGH_PRICES';
}

function expectedResponse({
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

function evidenceResponse(
  verdict: PriceVerdict & { kind: 'verdict' },
  evidence: PriceEvidence,
): Answer<'evidence'> {
  const { from, history, windowDays, sample, comparedWith } = evidence;
  return {
    typicalLow: pounds(verdict.typicalLow),
    typicalHigh: pounds(verdict.typicalHigh),
    own: comparisonResponse(verdict.own),
    comparable: { ...comparisonResponse(verdict.comparable), hotels: verdict.comparable.hotels },
    strong: verdict.isStrong,
    comparedWith,
    windowDays,
    knownSince: fromDayNumber(from.day),
    sample,
    history: history.points.map(pointResponse),
    lowest: pointResponse(history.lowest),
    latest: pointResponse(history.latest),
  };
}

function comparisonResponse({ median, prices, percent }: PriceComparison): Answer<'evidence'>['own'] {
  return { median: pounds(median), prices, percent };
}

export function pointResponse({ day, price }: DailyPrice): Answer<'evidence'>['lowest'] {
  return { day: fromDayNumber(day), price: pounds(price) };
}

/** Converts pence to pounds, with two decimals. */
export function pounds(pence: Pence): number {
  return Math.round(pence) / 100;
}
