import { testProofs } from './test-proofs.ts';

export interface SourceFile {
  /** Relative to the project's root, with `/` between folders. */
  path: string;
  text: string;
}

/** A statement of the specification, with the files of the tests that prove it. */
interface Statement {
  number: string;
  paths: readonly string[];
}

export interface Coverage {
  sections: { title: string; statements: Statement[] }[];
  /** A statement without a test, a gap in the numbers, a tag with an unknown number. */
  problems: string[];
}

/** Matches the statements of docs/specification-statements.md with the tagged tests. */
export function specificationCoverage(statements: string, tests: readonly SourceFile[]): Coverage {
  const files = new Map<string, Set<string>>();
  for (const { path, text } of tests) {
    for (const number of testProofs(path, text).flatMap((proof) => proof.statements))
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

export function coveragePage({ sections }: Coverage): string {
  const lists = sections.map(({ title, statements }) => {
    const lines = statements.map(
      ({ number, paths }) => `- ${number}: ${paths.map((path) => `\`${path}\``).join(', ')}\n`,
    );
    return `## ${title}\n\n${lines.join('')}`;
  });
  return `# Specification coverage

The files whose tests prove each statement of [specification-statements.md](specification-statements.md). The tests have a comment directly above them: \`// @proves 2.14, 7.7\`.

\`npm run coverage:specification\` writes this page from these tags. A statement without a test fails \`npm test\`.

${lists.join('\n')}`;
}
