import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { feedProgress } from './feed-progress.ts';

it('times a phase from the end of the previous one, so that rates and times left are right', () => {
  let now = 0;
  const out = new PassThrough();
  const progress = feedProgress(out, () => now);
  now = 10_000;
  progress('Reading', 1_000, 1_000, 20_000);
  // A phase reports its first step when the step is done.
  now = 30_000;
  progress('Writing', 5_000, 20_000, 5_000);
  now = 70_000;
  progress('Writing', 20_000, 20_000, 20_000);
  expect(String(out.read()).split('\n')).toEqual([
    'Reading 100%, 20000 rows, 2000 per second, 0 s left',
    'Writing 25%, 5000 rows, 250 per second, 1 min left',
    'Writing 100%, 20000 rows, 333 per second, 0 s left',
    '',
  ]);
});
