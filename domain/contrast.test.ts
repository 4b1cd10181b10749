import { expect, it } from 'vitest';
import { contrast } from './contrast.ts';

it.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#000000', 21],
  ['#777777', '#777777', 1],
  // Two greys on white: the lightest that passes WCAG AA, and the next one, which fails.
  ['#767676', '#ffffff', 4.54],
  ['#777777', '#ffffff', 4.48],
  ['#ff0000', '#FFFFFF', 4],
])('%s on %s is %f', (one, other, expected) => {
  expect(contrast(one, other)).toBeCloseTo(expected, 1);
});
