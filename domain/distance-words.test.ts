import { expect, it } from 'vitest';
import { aboutDistance } from './distance-words.ts';

it.each([
  [0, 'Less than 300 m'],
  [0.2, 'Less than 300 m'],
  [0.3, 'About 300 m'],
  [0.94, 'About 900 m'],
  [0.97, 'About 1 km'],
  [1.44, 'About 1.4 km'],
  [23.4, 'About 23 km'],
  [132.4, 'About 132 km'],
])('%d km is: %s', (km, words) => {
  expect(aboutDistance(km)).toBe(words);
});
