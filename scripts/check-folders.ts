import { FOLDER_FLOORS } from './folder-floors.ts';
import { describeFolderProblem, folderProblems } from './folder-rules.ts';
import { readModuleImports } from './module-imports.ts';

// Checks for import cycles between folders and for upward imports; exits with 1 if there are any. Unit tests are ignored:
// they are beside their source, and may import from everywhere. An argument is the folder of another checkout.
const [root = '.'] = process.argv.slice(2);
const SOURCES = ['{domain,web,widget,server,scripts,tests,bench}/**/*.{ts,tsx}'];
const imports = readModuleImports(root, SOURCES).filter(({ from }) => !/\.test\.tsx?$/.test(from));
const problems = folderProblems(imports, FOLDER_FLOORS);
for (const problem of problems) console.error(describeFolderProblem(problem));
console.log(`${imports.length} imports checked, ${problems.length} problems found.`);
if (problems.length > 0) process.exitCode = 1;
