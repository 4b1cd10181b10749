import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Coverage, specificationCoverage } from './specification-coverage.ts';

const ROOT = join(import.meta.dirname, '..');
const TESTS = ['{domain,web,widget,server}/**/*.test.{ts,tsx}', 'tests/**/*.ts'];

export const COVERAGE_PAGE = join(ROOT, 'docs/specification-coverage.md');

/** Reads the statements and every test of the project. */
export function readSpecificationCoverage(): Coverage {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  const tests = globSync(TESTS, { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .map((path) => ({ path, text: read(path) }))
    .filter(({ text }) => text.includes('@proves'));
  return specificationCoverage(read('docs/specification-statements.md'), tests);
}
