import { expect, it } from 'vitest';
import { commentProblems, documentProblems, versionProblems } from './document-rules.ts';

const FILES: Record<string, string> = {
  'docs/feeds.md': '# Feeds\n\n## What is refused?\n',
  'server/main.ts': '',
};
const PROJECT = {
  exists: (path: string) => path in FILES || path === 'docs',
  read: (path: string) => FILES[path] ?? '',
};

const problemsOf = (text: string) => documentProblems({ path: 'docs/page.md', text }, PROJECT);

it.each([
  ['a link to a file that exists', '[feeds](feeds.md)'],
  ['a link to a heading', '[refused](feeds.md#what-is-refused)'],
  ['a link to a heading of its own', '# One\n\n[up](#one)'],
  ['a link to another site', '[there](https://example.org/x.md)'],
  ['a source file, with or without its ending', '`server/main.ts` and `server/main`'],
  ['a code block', '```\nat once [x](missing.md)\n```'],
  ['a quoted word', 'the field `told`'],
])('accepts %s', (_, text) => {
  expect(problemsOf(text)).toEqual([]);
});

it.each([
  ['a link to a missing file', '[x](missing.md)', 'there is no file missing.md'],
  ['a link to a missing heading', '[x](feeds.md#gone)', 'there is no heading feeds.md#gone'],
  ['a missing source file', '`server/gone.ts`', 'there is no file server/gone.ts'],
  ['a word that puzzles readers', 'It stops At once.', 'instead of "At once", write "immediately"'],
])('reports %s', (_, text, problem) => {
  expect(problemsOf(text)).toEqual([expect.stringContaining(`docs/page.md: ${problem}`)]);
});

it('reports words that puzzle readers in comments, but not in code', () => {
  const text = "/**\n * Stops at once.\n */\nconst told = 'nobody';\n  // Whoever asks.";
  expect(commentProblems({ path: 'server/main.ts', text })).toEqual([
    expect.stringContaining('instead of "at once"'),
    expect.stringContaining('instead of "Whoever"'),
  ]);
});

const changelog = (unreleased: string) =>
  `# Changelog\n\n## Unreleased\n\n${unreleased}\n\n## 0.9.0 (1 May 2027)\n\n- Add a map\n`;

it.each([
  ['the released version in the commit that sets it', '0.9.0', 'Nothing yet.', true],
  ['a development version in any other commit', '0.10.0-dev', '- Add a filter', false],
  ['a development version without changes yet', '0.9.1-dev', 'Nothing yet.', false],
])('accepts %s', (_, version, unreleased, isReleaseCommit) => {
  expect(versionProblems(version, changelog(unreleased), isReleaseCommit)).toEqual([]);
});

it.each([
  ['the released version in a later commit', '0.9.0', 'Nothing yet.', false],
  ['a release with changes that are listed as unreleased', '0.9.0', '- Add a filter', true],
  ['a version that CHANGELOG.md does not name', '0.10.0', 'Nothing yet.', true],
  ['a development version below the last release', '0.9.0-dev', '- Add a filter', false],
])('rejects %s', (_, version, unreleased, isReleaseCommit) => {
  expect(versionProblems(version, changelog(unreleased), isReleaseCommit)).toHaveLength(1);
});
