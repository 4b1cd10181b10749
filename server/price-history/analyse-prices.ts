import type { DailyPrice } from '../../domain/daily-prices.ts';
import type { LowestPrice } from '../../domain/lowest-price.ts';
import type { Pence } from '../../domain/money.ts';
import type { PriceVerdict } from '../../domain/price-verdict.ts';
import type { AirportNeighbours } from '../inventory/airport-neighbours.ts';
import type { CodedCatalogue } from '../inventory/catalogue.ts';
import { totalPrice } from '../inventory/offer-charges.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { comparedWith, holidayOf } from './compared-with.ts';
import { type HistoryPoints, historyPoints } from './history-points.ts';
import { type ExpectedWithReasons, type JudgedPackage, packageJudge } from './judged-package.ts';
import { HISTORY_DAYS } from './package-history.ts';

/** The most points of a history in a response. */
const MAX_POINTS = 30;

/** The analysis of one package's price. Money is in pence. */
export interface PriceAnalysis {
  itemKey: string;
  price: Pence;
  /** When the store last saw this price, in minutes since the epoch. */
  seenAt: number;
  /** The departure's school or bank holiday, if any. */
  holiday: string | null;
  /** Null if no price was seen in the last 30 days. */
  lowest30: LowestPrice | null;
  verdict: PriceVerdict;
  /** Null if there is no verdict. */
  evidence: PriceEvidence | null;
  /** See `JudgedPackage`. */
  advice: string | null;
}

export interface PriceEvidence {
  /** The first known day of the package's own prices. */
  from: DailyPrice;
  history: HistoryPoints;
  windowDays: number;
  /** True if part of the history is generated for the sample market. */
  sample: boolean;
  comparedWith: string;
  expected: ExpectedWithReasons | null;
}

export interface AnalysedKeys {
  analyses: PriceAnalysis[];
  /** How many keys are finished, counted from the first. */
  done: number;
}

/**
 * Analyses packages in key order. Skips keys without a package on sale. Stops after a key if `isOver` is true.
 * Reads only. Takes a few milliseconds per resort, so run it in a worker thread.
 */
export async function analysePrices(
  database: SqlDatabase,
  catalogue: CodedCatalogue,
  neighbours: AirportNeighbours,
  staleAfterDays: number,
  itemKeys: readonly string[],
  nowMs: number,
  isOver: () => boolean = () => false,
): Promise<AnalysedKeys> {
  const judge = await packageJudge(database, catalogue, neighbours, staleAfterDays, nowMs);
  const analyses: PriceAnalysis[] = [];
  let done = 0;
  for (const itemKey of itemKeys) {
    const judged = await judge(itemKey);
    if (judged !== null) analyses.push(analysisOf(itemKey, judged, catalogue));
    done += 1;
    if (isOver()) break;
  }
  return { analyses, done };
}

function analysisOf(itemKey: string, judged: JudgedPackage, catalogue: CodedCatalogue): PriceAnalysis {
  const { offer, lowest30, verdict, advice } = judged;
  return {
    itemKey,
    price: totalPrice(offer),
    seenAt: offer[OFFER.seenAt],
    holiday: holidayOf(offer, catalogue),
    lowest30,
    verdict,
    evidence: evidenceOf(judged, catalogue),
    advice,
  };
}

function evidenceOf(
  { offer, daily, sample, comparables, expected, verdict }: JudgedPackage,
  catalogue: CodedCatalogue,
): PriceEvidence | null {
  const history = historyPoints(daily, MAX_POINTS);
  const [from] = daily;
  if (verdict.kind !== 'verdict' || history === null || from === undefined) return null;
  return {
    from,
    history,
    windowDays: HISTORY_DAYS,
    sample,
    comparedWith: comparedWith(offer, comparables, catalogue),
    expected,
  };
}
