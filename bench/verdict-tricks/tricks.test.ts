import { describe, expect, it } from 'vitest';
import { BACK_TEST_MARKETS } from '../back-test/markets.ts';
import { samplePanel } from '../back-test/walk-forward.ts';
import { judgedOn } from './judged-on.ts';
import { answerOf, contradictions, TRICKS } from './tricks.ts';

describe('on a rough market', () => {
  const market = BACK_TEST_MARKETS.find(({ name }) => name === 'Rough');
  if (market === undefined) throw new Error('there is a rough market');
  const judged = judgedOn(samplePanel(5), market, { seed: 5, packages: 150 });

  it.each(TRICKS)('$name earns no Low', ({ played, allowed }) => {
    for (const { input } of judged) {
      if (input.expected === null) throw new Error('there is a model');
      expect(allowed).toContain(answerOf(played(input, input.expected.price)));
    }
  });

  it('no verdict contradicts itself, and some are given', () => {
    expect(judged.flatMap(({ input }) => contradictions(input))).toEqual([]);
    expect(judged.map(({ input }) => answerOf(input))).toContain('typical');
  });
});
