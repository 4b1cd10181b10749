import { FOLDER_FLOORS } from './folder-floors.ts';
import { describeFolderProblem, folderProblems } from './folder-rules.ts';
import { readModuleImports } from './module-imports.ts';

// Import cycles between folders and imports up a floor; exits with 1 where there are any. Unit tests stand beside
// their source and may import from everywhere, so they are left out. A folder may be given: another checkout.
const [root = '.'] = process.argv.slice(2);
const SOURCES = [
  '{domain,web,widget,server,scripts,tests}/**/*.{ts,tsx}',
  'bench/{*,!(usual-page|postgraphile)/**/*}.ts',
];
const imports = readModuleImports(root, SOURCES).filter(({ from }) => !/\.test\.tsx?$/.test(from));
const problems = folderProblems(imports, FOLDER_FLOORS);
for (const problem of problems) console.error(describeFolderProblem(problem));
console.log(`${imports.length} imports checked, ${problems.length} problems found.`);
if (problems.length > 0) process.exitCode = 1;
