import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { commentProblems, documentProblems, versionProblems } from './document-rules.ts';

// Checks every Markdown file and source comment, from the project's root. Exits with 1 if there are problems.
// Skips the specification's own statements, whose wording is fixed.
const DOCUMENTS = ['*.md', '{bench,docs,server}/**/*.md'];
const SOURCES = ['{assets,bench,domain,scripts,server,tests,web,widget}/**/*.{ts,tsx,css}'];
const exclude = ['docs/specification-statements.md'];
const read = (path: string) => readFileSync(path, 'utf8');
const filesOf = (patterns: string[]) =>
  globSync(patterns, { exclude }).map((path) => ({ path: path.replaceAll('\\', '/'), text: read(path) }));
const documents = filesOf(DOCUMENTS);
const sources = filesOf(SOURCES);
const { version } = JSON.parse(read('package.json')) as { version: string };
const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' }).stdout?.trim();
const set = git('log', '-1', '--format=%H', `-S"version": "${version}"`, '--', 'package.json');
const problems = [
  ...versionProblems(version, read('CHANGELOG.md'), set === git('rev-parse', 'HEAD')),
  ...documents.flatMap((document) => documentProblems(document, { exists: existsSync, read })),
  ...sources.flatMap(commentProblems),
];
for (const problem of problems) console.error(problem);
const checked = `${documents.length} documents and ${sources.length} sources`;
console.log(`${checked} checked, ${problems.length} problems found.`);
if (problems.length > 0) process.exitCode = 1;
