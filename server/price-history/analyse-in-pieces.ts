import type { PriceAnalysisResponse } from '../../domain/price-analysis-response.ts';
import type { AnalysedKeys } from './analyse-prices.ts';

/** Analyses keys in order, as many as one call allows. `state` identifies the store's state. */
type AnalysePiece = (itemKeys: readonly string[]) => Promise<AnalysedKeys & { state: string }>;

/** The most attempts, if imports keep changing the store between two pieces. */
const MAX_ATTEMPTS = 3;

/**
 * Analyses keys in several calls, so that other callers can use the thread in between. All results come from
 * one state of the store: after an import in between, all keys are analysed again, up to `MAX_ATTEMPTS` times.
 */
export async function analyseInPieces(
  itemKeys: readonly string[],
  analysePiece: AnalysePiece,
): Promise<PriceAnalysisResponse[]> {
  for (let attempt = 1; ; attempt += 1) {
    const first = await analysePiece(itemKeys);
    const analyses = [...first.analyses];
    let isOneState = true;
    let { done } = first;
    while (done < itemKeys.length && (isOneState || attempt === MAX_ATTEMPTS)) {
      const piece = await analysePiece(itemKeys.slice(done));
      isOneState &&= piece.state === first.state;
      analyses.push(...piece.analyses);
      done += piece.done;
    }
    if (isOneState || attempt === MAX_ATTEMPTS) return analyses;
  }
}
