import type { PriceAnalysisResponse } from '../../domain/price-analysis-response.ts';
import type { PriceHistoryResponse } from '../../domain/price-history-response.ts';
import { type JudgeContext, packageJudge } from './judged-package.ts';
import { analysisResponse, historyResponse } from './price-analysis-response.ts';

export interface AnalysedKeys {
  analyses: PriceAnalysisResponse[];
  /** How many keys are finished, counted from the first. */
  done: number;
}

/**
 * Analyses packages in key order. Skips keys without a package on sale. Stops after a key if `isOver` is true.
 * Reads only. Takes a few milliseconds per resort, so run it in a worker thread.
 */
export async function analysePrices(
  context: JudgeContext,
  itemKeys: readonly string[],
  nowMs: number,
  isOver: () => boolean = () => false,
): Promise<AnalysedKeys> {
  const judge = await packageJudge(context, nowMs);
  const analyses: PriceAnalysisResponse[] = [];
  let done = 0;
  for (const itemKey of itemKeys) {
    const judged = await judge(itemKey);
    if (judged !== null) analyses.push(analysisResponse(judged, context.catalogue));
    done += 1;
    if (isOver()) break;
  }
  return { analyses, done };
}

/** The history of a package on sale; null for other keys. Reads only. */
export async function priceHistory(
  context: JudgeContext,
  itemKey: string,
  nowMs: number,
): Promise<PriceHistoryResponse | null> {
  const judged = await (await packageJudge(context, nowMs))(itemKey);
  return judged && historyResponse(judged, context.catalogue);
}
