import type { AnalysedKeys, PriceAnalysis } from './analyse-prices.ts';

/** Analyses the first of these keys, as many as there is time for in one turn. `state`: of the store in which it did. */
type AnalysePiece = (itemKeys: readonly string[]) => Promise<AnalysedKeys & { state: string }>;

/** Attempts while imports keep changing the store between two pieces. */
const MAX_ATTEMPTS = 3;

/**
 * Analyses keys in as many turns as they need: others have theirs in between. All are of one state of the store, so if an
 * import comes in between, they are analysed again.
 */
export async function analyseInPieces(
  itemKeys: readonly string[],
  analysePiece: AnalysePiece,
): Promise<PriceAnalysis[]> {
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
