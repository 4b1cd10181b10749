import { type TestProof, testProofs } from './test-proofs.ts';

export interface SourceFile {
  /** Relative to the project's root, with `/` between folders. */
  path: string;
  text: string;
}

/** A statement of the specification, with the tests that prove it. */
interface Statement {
  number: string;
  proofs: { path: string; title: string }[];
}

export interface Coverage {
  sections: { title: string; statements: Statement[] }[];
  /** A statement without a test, a gap in the numbers, a tag with an unknown number. */
  problems: string[];
}

/** Matches the statements of docs/specification-statements.md with the tagged tests. */
export function specificationCoverage(statements: string, tests: readonly SourceFile[]): Coverage {
  const proofs = new Map<string, Statement['proofs']>();
  for (const { path, text } of tests) {
    for (const proof of testProofs(path, text)) addProof(proofs, path, proof);
  }
  const sections = sectionsOf(statements).map(({ title, numbers }) => ({
    title,
    statements: numbers.map((number) => ({ number, proofs: proofs.get(number) ?? [] })),
  }));
  const known = sections.flatMap((section) => section.statements);
  const numbers = new Set(known.map(({ number }) => number));
  return {
    sections,
    problems: [
      ...sections.flatMap((section, at) => gapsIn(section.statements, at + 1)),
      ...known.filter((one) => one.proofs.length === 0).map(({ number }) => `${number}: no test proves it`),
      ...[...proofs]
        .filter(([number]) => !numbers.has(number))
        .map(([number, [proof]]) => `${number}: no such statement (${proof?.path})`),
    ],
  };
}

function addProof(
  proofs: Map<string, Statement['proofs']>,
  path: string,
  { title, statements }: TestProof,
): void {
  for (const number of statements) {
    proofs.set(number, [...(proofs.get(number) ?? []), { path, title }]);
  }
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

/** Statements are numbered from 1 within each section. */
function gapsIn(statements: readonly Statement[], section: number): string[] {
  if (statements.length === 0) return [`Section ${section} has no statements`];
  return statements.flatMap(({ number }, at) =>
    number === `${section}.${at + 1}` ? [] : [`${number}: ${section}.${at + 1} was expected here`],
  );
}

/** The page that lists the tests by statement. */
export function coveragePage({ sections }: Coverage): string {
  const tables = sections.map(({ title, statements }) => {
    const rows = statements.flatMap(({ number, proofs }) =>
      proofs.map((proof) => [number, `\`${proof.path}\``, proof.title]),
    );
    return `## ${title}\n\n${table([['Statement', 'File', 'Test'], ...rows])}`;
  });
  return `# Specification coverage

The tests that prove each statement of [specification-statements.md](specification-statements.md). In a title, \`…\` stands for a value from a table of cases.

\`npm run coverage:specification\` writes this page from the tags in the tests. A tag is a comment directly above a test: \`// @proves 2.14, 7.7\`. A statement without a test fails \`npm test\`.

${tables.join('\n')}`;
}

function table([head = [], ...body]: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('');
}
