import { setImmediate } from 'node:timers/promises';
import type { Caller } from '../lib/caller.ts';
import type { AnalysedKeys, PriceAnalysis } from './analyse-prices.ts';

/** Analyses the first of these keys, as many as there is time for in one turn. `state`: of the store in which it did. */
type AnalysePiece = (
  itemKeys: readonly string[],
  caller: Caller,
) => Promise<AnalysedKeys & { state: string }>;

/** Attempts while imports keep changing the store between two pieces. */
const MAX_ATTEMPTS = 3;

/**
 * Analyses keys in as many turns as they need: others have theirs in between. All are of one state of the store, so if an
 * import comes in between, they are analysed again.
 */
export async function analyseInPieces(
  itemKeys: readonly string[],
  caller: Caller,
  analysePiece: AnalysePiece,
): Promise<PriceAnalysis[]> {
  // Who has waited for a piece waits in a flood anew for the next: a refusal would waste what is analysed already.
  const again = { ...caller, waitsInFloodUntil: undefined };
  for (let attempt = 1; ; attempt += 1) {
    const first = await analysePiece(itemKeys, caller);
    const analyses = [...first.analyses];
    let isOneState = true;
    let { done } = first;
    while (done < itemKeys.length && (isOneState || attempt === MAX_ATTEMPTS)) {
      // A piece is given before its place in the queue is free, and would be expected to wait for itself.
      await setImmediate();
      const piece = await analysePiece(itemKeys.slice(done), again);
      isOneState &&= piece.state === first.state;
      analyses.push(...piece.analyses);
      done += piece.done;
    }
    if (isOneState || attempt === MAX_ATTEMPTS) return analyses;
  }
}
