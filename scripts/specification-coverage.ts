import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TextFile } from './document-rules.ts';

const ROOT = join(import.meta.dirname, '..');
const TESTS = ['{domain,web,widget,server}/**/*.test.{ts,tsx}', 'tests/**/*.ts'];

export const COVERAGE_PAGE = join(ROOT, 'docs/specification-coverage.md');

const TAG = /^\s*\/\/ @proves\b(.*)$/;
const NUMBERS = /^ \d+\.\d+(, \d+\.\d+)*$/;
/** Matches a test: a call to Vitest's or Playwright's function, or to a fixture that extends one. */
const TEST = /^\s*(?:it|test|skylark|anotherServer)(?:\.(?!describe|skip|todo|fixme)\w+)*[(`<]/;

/** A statement of the specification, and the files with tests that prove it. */
interface Statement {
  number: string;
  paths: readonly string[];
}

export interface Coverage {
  sections: { title: string; statements: Statement[] }[];
  /** Statements without a test, gaps in the numbers, and tags with an unknown number. */
  problems: string[];
}

/** Reads the statements, and every test of the project. */
export function readSpecificationCoverage(): Coverage {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  const paths = globSync(TESTS, { cwd: ROOT }).map((path) => path.replaceAll('\\', '/'));
  const tests = paths.toSorted().map((path) => ({ path, text: read(path) }));
  return specificationCoverage(read('docs/specification-statements.md'), tests);
}

/** Matches the statements of docs/specification-statements.md with the tagged tests. */
export function specificationCoverage(statements: string, tests: readonly TextFile[]): Coverage {
  const files = new Map<string, Set<string>>();
  for (const { path, text } of tests) {
    for (const number of provedStatements(path, text))
      files.set(number, (files.get(number) ?? new Set()).add(path));
  }
  const sections = sectionsOf(statements).map(({ title, numbers }) => ({
    title,
    statements: numbers.map((number) => ({ number, paths: [...(files.get(number) ?? [])] })),
  }));
  const known = sections.flatMap((section) => section.statements);
  const numbers = new Set(known.map(({ number }) => number));
  return {
    sections,
    problems: [
      ...sections.flatMap((section, at) => gapsIn(section.statements, at + 1)),
      ...known.filter((one) => one.paths.length === 0).map(({ number }) => `${number}: no test proves it`),
      ...[...files]
        .filter(([number]) => !numbers.has(number))
        .map(([number, paths]) => `${number}: no such statement (${[...paths].join(', ')})`),
    ],
  };
}

/** The numbers in a file's tags. Throws if a tag has no numbers, or no test directly below it. */
function provedStatements(path: string, text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    const [, numbers] = TAG.exec(line) ?? [];
    if (numbers === undefined) return [];
    const place = `${path}:${at + 1}: @proves`;
    if (!NUMBERS.test(numbers)) throw new Error(`${place} must list statements, such as "@proves 2.14, 7.7"`);
    if (!TEST.test(lines[at + 1] ?? '')) throw new Error(`${place} must be directly above a test`);
    return numbers.trim().split(', ');
  });
}

function sectionsOf(text: string): { title: string; numbers: string[] }[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.split('\n', 1)[0] ?? '',
      numbers: [...section.matchAll(/^- \*\*(\d+\.\d+)\*\* \S/gm)].map(([, number = '']) => number),
    }));
}

/** The numbers that are missing in a section, whose statements are numbered from 1. */
function gapsIn(statements: readonly Statement[], section: number): string[] {
  if (statements.length === 0) return [`Section ${section} has no statements`];
  return statements.flatMap(({ number }, at) =>
    number === `${section}.${at + 1}` ? [] : [`${number}: ${section}.${at + 1} was expected here`],
  );
}

export function coveragePage({ sections }: Coverage): string {
  const lists = sections.map(({ title, statements }) => {
    const proofs = Map.groupBy(statements, ({ paths }) => paths.map((path) => `\`${path}\``).join(', '));
    const lines = [...proofs].map(
      ([paths, some]) => `- ${paths}: ${some.map((one) => one.number).join(', ')}\n`,
    );
    return `## ${title}\n\n${lines.join('')}`;
  });
  return `# Specification coverage

The files whose tests prove each [statement](specification-statements.md). \`npm run coverage:specification\` writes this page from the tests' tags (\`// @proves 2.14, 7.7\`).

${lists.join('\n')}`;
}
