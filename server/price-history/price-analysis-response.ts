import { fromDayNumber } from '../../domain/calendar-date.ts';
import type { DailyPrice } from '../../domain/daily-prices.ts';
import { median } from '../../domain/median.ts';
import type { Pence } from '../../domain/money.ts';
import type { PriceAnalysisResponse } from '../../domain/price-analysis-response.ts';
import { priceChange } from '../../domain/price-change.ts';
import type { PriceHistoryResponse } from '../../domain/price-history-response.ts';
import type { PriceAbstention, PriceVerdict } from '../../domain/price-verdict.ts';
import { verdictLabel, verdictSentence } from '../../domain/price-verdict-words.ts';
import type { Catalogue } from '../inventory/catalogue.ts';
import { isEnough } from './comparables.ts';
import { comparedWith, holidayOf } from './compared-with.ts';
import { historyPoints } from './history-points.ts';
import type { JudgedPackage } from './judged-package.ts';

type Answer<Field extends keyof PriceAnalysisResponse> = NonNullable<PriceAnalysisResponse[Field]>;

/** The most points of a history in an analysis. */
const MAX_POINTS = 30;

/** The number of days in a plot. */
const PLOT_DAYS = 90;

const LEVEL = {
  low: 'LOW',
  typical: 'TYPICAL',
  high: 'HIGH',
  'check-price': 'CHECK_PRICE',
} as const satisfies Record<PriceVerdict, Answer<'level'>>;

const ABSTENTION = {
  stale: 'STALE',
  'few-prices': 'FEW_PRICES',
  mixed: 'MIXED',
} as const satisfies Record<PriceAbstention, Answer<'abstention'>>;

/** A package's analysis in the API's form. */
export function analysisResponse(judged: JudgedPackage, catalogue: Catalogue): PriceAnalysisResponse {
  const { offer, price, today, daily, judgement, daysSinceSeen, modelVersion } = judged;
  const { verdict, abstention, band, expected } = judgement;
  const change = priceChange(daily, price, today);
  return {
    ...seenPrice(judged),
    level: verdict === null ? 'NO_VERDICT' : LEVEL[verdict],
    label: verdictLabel(judgement),
    sentence: verdictSentence(judgement, { price, change, daysSinceSeen }),
    abstention: abstention && ABSTENTION[abstention],
    holiday: holidayOf(offer, catalogue),
    change: change && { amount: pounds(change.amount), since: fromDayNumber(change.since) },
    expected:
      band === null || expected === null || modelVersion === null
        ? null
        : { price: pounds(expected), low: pounds(band.low), high: pounds(band.high), modelVersion },
    evidence: evidenceOf(judged, catalogue),
    advice: judged.advice,
  };
}

/** A package's history in the API's form. */
export function historyResponse(judged: JudgedPackage, catalogue: Catalogue): PriceHistoryResponse {
  const { today, daily, sample, judgement } = judged;
  const { band, abstention } = judgement;
  return {
    ...seenPrice(judged),
    from: fromDayNumber(today - PLOT_DAYS + 1),
    to: fromDayNumber(today),
    prices: daily.filter(({ day }) => day > today - PLOT_DAYS).map(pointResponse),
    typical:
      band === null || abstention === 'stale' ? null : { low: pounds(band.low), high: pounds(band.high) },
    similar: similarOf(judged, catalogue),
    sample,
  };
}

function seenPrice({
  itemKey,
  price,
  offer,
  lowest30,
}: JudgedPackage): Pick<PriceAnalysisResponse, 'itemKey' | 'price' | 'asOf' | 'lowest30'> {
  return {
    itemKey,
    price: pounds(price),
    asOf: new Date(offer.seenAt * 60_000).toISOString(),
    lowest30: lowest30 && { ...pointResponse(lowest30), days: lowest30.days },
  };
}

/** Null if the verdict rests on nothing, or the price is stale or suspect. */
function evidenceOf(judged: JudgedPackage, catalogue: Catalogue): Answer<'evidence'> | null {
  const { daily, sample, judgement } = judged;
  const { verdict, abstention, band, ownMedian } = judgement;
  const [from] = daily;
  if (verdict === 'check-price' || abstention === 'stale' || from === undefined) return null;
  if (band === null && ownMedian === null) return null;
  return {
    own: ownMedian === null ? null : { median: pounds(ownMedian), prices: daily.length },
    similar: similarOf(judged, catalogue),
    knownSince: fromDayNumber(from.day),
    sample,
    history: historyPoints(daily, MAX_POINTS).map(pointResponse),
  };
}

function similarOf(
  { offer, comparables }: JudgedPackage,
  catalogue: Catalogue,
): PriceHistoryResponse['similar'] {
  const { prices, hotels } = comparables;
  const middle = median(prices);
  if (middle === null || !isEnough(comparables)) return null;
  return {
    median: pounds(middle),
    prices: prices.length,
    hotels,
    comparedWith: comparedWith(offer, comparables, catalogue),
  };
}

function pointResponse({ day, price }: DailyPrice): Answer<'evidence'>['history'][number] {
  return { day: fromDayNumber(day), price: pounds(price) };
}

/** Converts pence to pounds, with two decimals. */
function pounds(pence: Pence): number {
  return Math.round(pence) / 100;
}
