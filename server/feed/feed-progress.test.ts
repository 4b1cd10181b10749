import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { feedProgress } from './feed-progress.ts';

it('prints a line for each phase, and one every five seconds', () => {
  let now = 0;
  const out = new PassThrough();
  const progress = feedProgress(out, () => now);
  progress('Reading', '0%');
  now = 4_999;
  progress('Reading', '10%');
  now = 5_000;
  progress('Reading', '11%');
  progress('Comparing', '');
  expect(String(out.read())).toBe('Reading: 0%\nReading: 11%\nComparing\n');
});
