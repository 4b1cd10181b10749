import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exceedsJsonLimits } from './json-limits.ts';

const check = (json: string, depth: number, commas = 1_000) =>
  exceedsJsonLimits(Buffer.from(json), { depth, commas });
const deeper = (json: string, depth: number) => check(json, depth) === 'depth';

describe('exceedsJsonLimits', () => {
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

  it('counts commas outside of texts only', () => {
    expect(check('[1,2,{"a":3,"b":4}]', 2, 3)).toBe(null);
    expect(check('[1,2,{"a":3,"b":4}]', 2, 2)).toBe('commas');
    expect(check('{"a":",,,\\",,,"}', 1, 0)).toBe(null);
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
