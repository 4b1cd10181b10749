import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DECISIONS, decisionIndex, decisionProblems, readDecisionFiles } from './decision-records.ts';

// Writes the index of docs/decisions. If a record is invalid, exits with 1 and writes nothing.
const files = readDecisionFiles();
const problems = decisionProblems(files);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else writeFileSync(join(DECISIONS, 'README.md'), decisionIndex(files));
