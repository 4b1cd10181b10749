import { describe, expect, it } from 'vitest';
import { testProofs } from './test-proofs.ts';

describe('The tag of a test', () => {
  it('lists the statements that the test proves', () => {
    const code =
      "// Why.\n// @proves 2.14, 7.7\ntest('selects a region', () => {});\nit('has no tag', () => {});";
    expect(testProofs('a.test.ts', code)).toEqual([
      { title: 'selects a region', statements: ['2.14', '7.7'] },
    ]);
  });

  it.each([
    ["it.each(CASES)('reads %s as $value', () => {});", 'reads … as …'],
    [`for (const key of KEYS) {\n  test(\`opens with \${key}\`, () => {});\n}`, 'opens with …'],
    ["it('takes £1', () => {});", 'takes £1'],
  ])('finds the title of %s', (code, title) => {
    const tagged = code.replace(/^( *)(it|test)\b/m, '$1// @proves 1.1\n$1$2');
    expect(testProofs('a.test.ts', tagged)).toEqual([{ title, statements: ['1.1'] }]);
  });

  it.each([
    ['has no numbers', "// @proves everything\nit('works', () => {});", 'must list statements'],
    ['is above other code', "// @proves 1.1\nconst name = 'x';", 'must be directly above a test'],
    ['is above a group', "// @proves 1.1\ndescribe('x', () => {});", 'must be directly above a test'],
    ['is above a skipped test', "// @proves 1.1\nit.skip('x', () => {});", 'must be directly above a test'],
  ])('is rejected if it %s', (_, code, message) => {
    expect(() => testProofs('a.test.ts', `\n${code}`)).toThrow(`a.test.ts:2: @proves ${message}`);
  });
});
