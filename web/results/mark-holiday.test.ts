import { describe, expect, it } from 'vitest';
import { closestKey } from './mark-holiday.ts';

describe('closestKey', () => {
  const KEYS = ['SUN:A:LGW:2027-05-01:7:AI', 'SUN:B:LGW:2027-05-01:7:RO', 'SUN:B:LGW:2027-05-01:7:AI'];

  it.each([
    ['SUN:B:LGW:2027-05-01:7:AI', 'SUN:B:LGW:2027-05-01:7:AI'],
    ['SUN:B:LGW:2027-05-01:7:HB', 'SUN:B:LGW:2027-05-01:7:RO'],
    ['SEA:B:LGW:2027-05-01:7:AI', null],
    ['', null],
  ])('matches %j with %j', (wanted, found) => {
    expect(closestKey(KEYS, wanted)).toBe(found);
  });
});
