import { weighPage } from './page-bytes.ts';

// Checks the built page against its byte budgets. Exits with 1 if one is exceeded.
const parts = weighPage('dist/web');
for (const { part, bytes, budget } of parts) {
  const mark = bytes <= budget ? 'within' : 'OVER';
  console.log(`${part.padEnd(34)} ${kilobytes(bytes)} kB, ${mark} ${kilobytes(budget)}`);
}
if (parts.some(({ bytes, budget }) => bytes > budget)) process.exitCode = 1;

function kilobytes(bytes: number): string {
  return (bytes / 1_000).toFixed(1);
}
