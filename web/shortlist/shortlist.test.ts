import { expect, it } from 'vitest';
import { MAX_SAVED, parseShortlist, shortlistUrl } from './shortlist.ts';

const saved = (nth: number) => ({
  itemKey: `SUN:H${nth}:LGW:2027-05-01:7:HB:D%20B:2-0-0`,
  pounds: 900 + nth,
  name: `Cala d'Or & ~${nth}`,
});

it('reads the holidays of its own URL', () => {
  const holidays = [saved(1), saved(2)];
  expect(parseShortlist(shortlistUrl(holidays).split('?')[1] ?? '')).toEqual(holidays);
});

it('ignores what it cannot read, repeated holidays, and more than a table shows', () => {
  const hostile = 'saved=&saved=1&saved=-5~K~N&saved=99999999~K~N&saved=5~~N&saved=5~K~&other=5~K~N';
  expect(parseShortlist(hostile)).toEqual([]);
  const many = [1, 1, 2, 3, 4, 5, 6].map(saved);
  expect(parseShortlist(shortlistUrl(many).split('?')[1] ?? '').map(({ pounds }) => pounds)).toEqual([
    901, 902, 903, 904,
  ]);
  expect(MAX_SAVED).toBe(4);
});
