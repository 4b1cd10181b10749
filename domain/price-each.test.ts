import { expect, it } from 'vitest';
import { priceEach } from './price-each.ts';

it('is per adult if no children travel, even with infants', () => {
  const couple = { TotalPrice: 1_000, NumberOfAdults: 2, NumberOfChildren: 0, NumberOfInfants: 1 };
  expect(priceEach(couple)).toEqual({ pounds: 500, unit: 'adult' });
});

it('is per person if children travel, because they pay fares too', () => {
  const family = { TotalPrice: 1_200, NumberOfAdults: 2, NumberOfChildren: 2 };
  expect(priceEach(family)).toEqual({ pounds: 300, unit: 'person' });
});
