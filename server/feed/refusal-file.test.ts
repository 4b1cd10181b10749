import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { MAX_LINES, openRefusalFile } from './refusal-file.ts';

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder.path, 'reports/SUNW.jsonl');
});
afterEach(() => folder.remove());

const linesOf = () =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

it('lists a limited number of problems and counts the rest by reason in its last line', () => {
  const report = openRefusalFile(path);
  const price = { field: 'TotalPrice', value: 'x', reason: 'is missing' };
  const nights = { field: 'Duration', value: 0, reason: 'is not 1 to 60 nights' };
  for (let line = 1; line <= 40_000; line += 1) report.add(line, [price, nights]);
  report.add(40_001, [nights], { leftOut: true });
  report.finish();
  const lines = linesOf();
  expect(lines).toHaveLength(MAX_LINES + 1);
  expect(lines.at(-2)).toMatchObject({ line: 25_000, field: 'Duration' });
  expect(lines.at(-1)).toEqual({
    notListed: [
      { field: 'Duration', reason: 'is not 1 to 60 nights', count: 15_001 },
      { field: 'TotalPrice', reason: 'is missing', count: 15_000 },
    ],
  });
  expect(report.groups().map(({ count, listed }) => [count, listed])).toEqual([
    [40_001, 25_000],
    [40_000, 25_000],
  ]);
});

it('leaves no file if every row was imported', () => {
  openRefusalFile(path).finish();
  expect(existsSync(path)).toBe(false);
});
