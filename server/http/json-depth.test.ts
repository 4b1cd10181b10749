import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNestedDeeper } from './json-depth.ts';

const deeper = (json: string, most: number) => isNestedDeeper(Buffer.from(json), most);

describe('isNestedDeeper', () => {
  it.each([
    ['[]', 0, true],
    ['[]', 1, false],
    ['{"a":{"b":[]}}', 2, true],
    ['{"a":{"b":[]}}', 3, false],
    ['[[],[],[]]', 2, false],
    ['"[[[["', 0, false],
    ['["\\"[[[["]', 1, false],
    ['["\\\\",[[]]]', 2, true],
  ])('says whether %s has more than %i levels: %s', (json, most, isDeeper) => {
    expect(deeper(json, most)).toBe(isDeeper);
  });

  it('agrees with the parsed value for any JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 0, max: 7 }), (json, most) => {
        expect(deeper(json, most)).toBe(levelsOf(JSON.parse(json)) > most);
      }),
    );
  });
});

function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf));
}
