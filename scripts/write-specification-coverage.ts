import { writeFileSync } from 'node:fs';
import { COVERAGE_PAGE, coveragePage, readSpecificationCoverage } from './specification-coverage.ts';

// Writes docs/specification-coverage.md. If a statement has no test, exits with 1 and writes nothing.
const coverage = readSpecificationCoverage();
for (const problem of coverage.problems) console.error(problem);
if (coverage.problems.length > 0) process.exitCode = 1;
else writeFileSync(COVERAGE_PAGE, coveragePage(coverage));
