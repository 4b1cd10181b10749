import { describe, expect, it } from 'vitest';
import { BOARD_BASIS, boardBasisWords } from './board-basis.ts';

const TABLE =
  `AI All-Inclusive|AP All-Inclusive Plus|BB Bed & Breakfast|CB Continental Breakfast|CC Catered Chalet
CL Club Board|DH Deluxe Half Board|DI Drinks Inclusive|FB Full Board|FD Fly Drive|FP Full Board Plus|HB Half Board
NA n/a|RO Room Only|SC Self Catering|VB Board varies-as text`.split(/[|\n]/);

describe('boardBasisWords', () => {
  it.each(TABLE)('%s', (row) => {
    expect(boardBasisWords(row.slice(0, 2))).toBe(row.slice(3));
  });

  // @proves 9.10
  it('has only the codes of Section 9', () => {
    expect(Object.keys(BOARD_BASIS)).toHaveLength(16);
  });

  it.each(['XX', '', 'ai', 'constructor', '__proto__', 'toString'])(
    'returns the unknown code %j unchanged',
    (code) => {
      expect(boardBasisWords(code)).toBe(code);
    },
  );
});
