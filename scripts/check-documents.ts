import { existsSync, globSync, readFileSync } from 'node:fs';
import { documentProblems } from './document-rules.ts';

// Checks every Markdown file from the project's root; exits with 1 if there are problems. The specification's own
// statements stay to the letter.
const DOCUMENTS = ['*.md', '{bench,docs,server}/**/*.md'];
const exclude = ['docs/specification-statements.md'];
const read = (path: string) => readFileSync(path, 'utf8');
const paths = globSync(DOCUMENTS, { exclude }).map((path) => path.replaceAll('\\', '/'));
const problems = paths.flatMap((path) =>
  documentProblems({ path, text: read(path) }, { exists: existsSync, read }),
);
for (const problem of problems) console.error(problem);
console.log(`${paths.length} documents checked, ${problems.length} problems found.`);
if (problems.length > 0) process.exitCode = 1;
