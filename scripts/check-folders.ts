import { FOLDER_FLOORS } from './folder-floors.ts';
import { folderProblems } from './folder-rules.ts';
import { readModuleImports } from './module-imports.ts';

// node scripts/check-folders.ts [checkout]: rejects imports that do not lead down.
// Ignores unit tests, which may import from anywhere.
const [root = '.'] = process.argv.slice(2);
const SOURCES = ['{domain,web,widget,server,scripts,tests,bench}/**/*.{ts,tsx}'];
const imports = readModuleImports(root, SOURCES).filter(({ from }) => !/\.test\.tsx?$/.test(from));
const problems = folderProblems(imports, FOLDER_FLOORS);
for (const problem of problems) console.error(problem);
console.log(`${imports.length} imports checked, ${problems.length} problems found.`);
if (problems.length > 0) process.exitCode = 1;
