import { expect, it } from 'vitest';
import { widthInEms } from './price-width.ts';

it('gives a comma less width than a digit', () => {
  expect(widthInEms('£1,235')).toBeGreaterThan(widthInEms('£999'));
  expect(widthInEms('£1,235')).toBeLessThan(widthInEms('£99999'));
});
