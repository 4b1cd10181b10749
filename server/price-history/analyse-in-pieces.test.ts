import { describe, expect, it } from 'vitest';
import type { PriceAnalysisResponse } from '../../domain/price-analysis-response.ts';
import { analyseInPieces } from './analyse-in-pieces.ts';

const KEYS = ['a', 'b', 'c', 'd', 'e'];

/** Analyses two keys per call. Keys in `gone` have no analysis. */
function pieces(stateOf: (call: number) => string, gone: readonly string[] = []) {
  const calls: string[] = [];
  const analysePiece = async (itemKeys: readonly string[]) => {
    const some = itemKeys.slice(0, 2);
    calls.push(some.join(''));
    const state = stateOf(calls.length);
    const found = some.filter((key) => !gone.includes(key)).map((key) => `${key} in ${state}`);
    // Only the key's text matters here.
    const analyses = found.map((itemKey) => ({ itemKey }) as PriceAnalysisResponse);
    return { analyses, done: some.length, state };
  };
  return { analysePiece, calls };
}

const keysOf = (analyses: readonly PriceAnalysisResponse[]) => analyses.map(({ itemKey }) => itemKey);

describe('analyseInPieces', () => {
  it('returns the analyses of all pieces', async () => {
    const { analysePiece, calls } = pieces(() => '1', ['b', 'e']);
    expect(keysOf(await analyseInPieces(KEYS, analysePiece))).toEqual(['a in 1', 'c in 1', 'd in 1']);
    expect(calls).toEqual(['ab', 'cd', 'e']);
  });

  it('makes one call for no keys', async () => {
    const { analysePiece, calls } = pieces(() => '1');
    expect(await analyseInPieces([], analysePiece)).toEqual([]);
    expect(calls).toEqual(['']);
  });

  it('starts again after an import, so that all results come from one state of the store', async () => {
    const { analysePiece, calls } = pieces((call) => (call < 2 ? '1' : '2'));
    expect(keysOf(await analyseInPieces(KEYS, analysePiece))).toEqual(KEYS.map((key) => `${key} in 2`));
    expect(calls).toEqual(['ab', 'cd', 'ab', 'cd', 'e']);
  });

  it('ends even if there is an import between all pieces', async () => {
    const { analysePiece, calls } = pieces(String);
    expect(await analyseInPieces(KEYS, analysePiece)).toHaveLength(5);
    expect(calls).toEqual(['ab', 'cd', 'ab', 'cd', 'ab', 'cd', 'e']);
  });
});
