import { describe, expect, it } from 'vitest';
import { priceLastSeen } from './price-last-seen.ts';

describe('priceLastSeen', () => {
  it.each([
    ['2027-01-05T14:05:00Z', 'Price seen 5 Jan, 14:05'],
    ['2027-07-05T23:30:00Z', 'Price seen 6 Jul, 00:30'],
    ['2027-07-05T23:30:00+01:00', 'Price seen 5 Jul, 23:30'],
  ])('formats %s in London time', (instant, words) => {
    expect(priceLastSeen(instant)).toBe(words);
  });

  it.each([null, '', 'yesterday'])('returns null for %j', (instant) => {
    expect(priceLastSeen(instant)).toBeNull();
  });
});
