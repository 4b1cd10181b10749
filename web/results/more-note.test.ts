import { expect, it } from 'vitest';
import { moreNote } from './more-note.ts';

it.each([
  [100, 181, true, '100 of 181 loaded; the rest load as you go'],
  [1_100, 12_345, true, '1,100 of 12,345 loaded; the rest load as you go'],
  [2_000, 9_000, false, 'We can show 2,000 of 9,000'],
  [181, 181, false, null],
  [100, 0, true, null],
])('with %i of %i results loaded, and more to load: %s', (loaded, count, hasMore, words) => {
  expect(moreNote(loaded, count, hasMore)).toBe(words);
});
