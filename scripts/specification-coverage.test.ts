import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  COVERAGE_PAGE,
  coveragePage,
  readSpecificationCoverage,
  specificationCoverage,
} from './specification-coverage.ts';

const STATEMENTS = `# Statements

## Section 1: Prices

- **1.1** Prices are in pounds.
- **1.2** Prices are whole.

## Section 2: Places

- **2.1** Places have names.
`;

describe('The specification', () => {
  it('has a test for each statement, and a page that lists them', () => {
    const coverage = readSpecificationCoverage();
    expect(coverage.problems).toEqual([]);
    expect(coverage.sections).toHaveLength(9);
    expect(readFileSync(COVERAGE_PAGE, 'utf8'), 'Run npm run coverage:specification').toBe(
      coveragePage(coverage),
    );
  });
});

describe('Coverage', () => {
  it('lists the statements of each section by their test files', () => {
    const coverage = specificationCoverage(STATEMENTS, [
      { path: 'domain/money.test.ts', text: "// @proves 1.1, 1.2\nit('prints pounds', () => {});" },
      { path: 'tests/e2e/all.spec.ts', text: "// @proves 1.1, 2.1\ntest('shows a card', () => {});" },
    ]);
    expect(coverage.problems).toEqual([]);
    const page = coveragePage(coverage);
    expect(page.slice(page.indexOf('## '))).toBe(
      `## Section 1: Prices

- \`domain/money.test.ts\`, \`tests/e2e/all.spec.ts\`: 1.1
- \`domain/money.test.ts\`: 1.2

## Section 2: Places

- \`tests/e2e/all.spec.ts\`: 2.1
`,
    );
  });

  it('reports a statement without a test, and a tag without a statement', () => {
    const tests = [{ path: 'a.test.ts', text: "// @proves 1.1, 2.1, 3.1\nit('works', () => {});" }];
    expect(specificationCoverage(STATEMENTS, tests).problems).toEqual([
      '1.2: no test proves it',
      '3.1: no such statement (a.test.ts)',
    ]);
  });

  it('reports a gap in the numbers', () => {
    const tests = [{ path: 'a.test.ts', text: "// @proves 1.1, 1.3, 2.1\nit('works', () => {});" }];
    expect(specificationCoverage(STATEMENTS.replace('1.2', '1.3'), tests).problems).toEqual([
      '1.3: 1.2 was expected here',
    ]);
  });
});

describe('The tag of a test', () => {
  it.each([
    ['has no numbers', "// @proves everything\nit('works', () => {});", 'must list statements'],
    ['is above other code', "// @proves 1.1\nconst name = 'x';", 'must be directly above a test'],
    ['is above a group', "// @proves 1.1\ntest.describe('x', () => {});", 'must be directly above a test'],
    ['is above a skipped test', "// @proves 1.1\nit.skip('x', () => {});", 'must be directly above a test'],
  ])('is rejected if it %s', (_, text, message) => {
    const tests = [{ path: 'a.test.ts', text: `\n${text}` }];
    expect(() => specificationCoverage(STATEMENTS, tests)).toThrow(`a.test.ts:2: @proves ${message}`);
  });
});
