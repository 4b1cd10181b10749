import { expect, it } from 'vitest';
import { foundMessage } from './found-message.ts';

const NOUN = { one: 'destination', many: 'destinations' };

it.each([
  [0, 0, 'No destinations found.'],
  [1, 1, '1 destination found.'],
  [50, 50, '50 destinations found.'],
  [1234, 50, '1,234 destinations found, first 50 shown.'],
])('with %i found and %i shown, says: %s', (total, listed, expected) => {
  expect(foundMessage(total, listed, NOUN)).toBe(expected);
});
