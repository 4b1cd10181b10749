import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, exceedsMaxEdits, maxEdits } from './edit-distance.ts';
import { letterMask } from './search-words.ts';

describe('maxEdits', () => {
  it.each([
    ['cos', 0],
    ['kreta', 1],
    ['ibza', 1],
    ['tenrife', 1],
    ['benidrom', 2],
  ])('%s: %d', (typed, slips) => {
    expect(maxEdits(typed)).toBe(slips);
  });
});

describe('editDistance', () => {
  it.each([
    ['tenerife', 'tenerife', 0],
    ['tenerife', 'tener', 0],
    ['tenerife', 'tenrife', 1],
    ['tenerife', 'tenrif', 1],
    ['tenerife', 'tennerife', 1],
    ['tenerife', 'tenirife', 1],
    ['tenerife', 'etnerife', 1],
    ['tenerife', 'tenerifex', 1],
    ['benidorm', 'benidrom', 1],
    ['benidorm', 'venidrom', 2],
    ['benidorm', 'bendirom', 2],
    ['rome', 'tenerife', 3],
    ['a', 'tenerife', 3],
    ['', 'ab', 2],
    ['', 'abc', 3],
  ])('%s from %s: %d', (word, typed, slips) => {
    expect(editDistance(typed, 2)(word)).toBe(slips);
  });

  it('returns the same distance as a full table, for many words in a row', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcd'), maxLength: 8 });
    const someWords = fc.array(word, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(word, someWords, fc.constantFrom(0, 1, 2), (typed, words, most) => {
        const measure = editDistance(typed, most);
        for (const each of words) {
          expect(measure(each)).toBe(Math.min(most + 1, plainSlips(each, typed)));
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('exceedsMaxEdits', () => {
  it('never excludes a word within the number of edits', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdéß'), maxLength: 8 });
    fc.assert(
      fc.property(word, word, fc.constantFrom(0, 1, 2), (typed, other, most) => {
        if (exceedsMaxEdits(typed, letterMask(other), most)) {
          expect(plainSlips(other, typed)).toBeGreaterThan(most);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('excludes a word that lacks the letters', () => {
    expect(exceedsMaxEdits('qqqq', letterMask('spain'), 2)).toBe(true);
    expect(exceedsMaxEdits('spqq', letterMask('spain'), 2)).toBe(false);
  });
});

/** A plain implementation with the full table. Returns the minimum over all prefixes of `word`. */
function plainSlips(word: string, typed: string): number {
  const table = Array.from({ length: typed.length + 1 }, () => new Array<number>(word.length + 1).fill(0));
  const at = (row: number, column: number) => table[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 0; row <= typed.length; row += 1) {
    for (let column = 0; column <= word.length; column += 1) {
      const options = [row === 0 && column === 0 ? 0 : Number.POSITIVE_INFINITY];
      options.push(at(row - 1, column) + 1, at(row, column - 1) + 1);
      options.push(at(row - 1, column - 1) + (typed[row - 1] === word[column - 1] ? 0 : 1));
      const isSwap = typed[row - 1] === word[column - 2] && typed[row - 2] === word[column - 1];
      if (row > 1 && column > 1 && isSwap) options.push(at(row - 2, column - 2) + 1);
      (table[row] ?? [])[column] = Math.min(...options);
    }
  }
  return Math.min(...(table.at(-1) ?? []));
}
