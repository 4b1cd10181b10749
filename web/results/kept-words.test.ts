import { expect, it } from 'vitest';
import { keptWords } from './kept-words.ts';

const AT = Date.parse('2027-05-01T13:05:00Z');

it.each([
  ['2027-05-01T13:05:59Z', 'as of 14:05, just now'],
  ['2027-05-01T13:04:00Z', 'as of 14:05, just now'],
  ['2027-05-01T13:06:00Z', 'as of 14:05, 1 minute ago'],
  ['2027-05-01T16:59:00Z', 'as of 14:05, 3 hours ago'],
  ['2027-05-02T13:05:00Z', 'as of 1 May 2027, 14:05, 1 day ago'],
])('at %s, prices kept at 14:05 in London are %s', (now, words) => {
  expect(keptWords(AT, Date.parse(now))).toBe(words);
});
