import { describe, expect, it } from 'vitest';
import { moveAmongDays } from './move-among-days.ts';

const DAYS = ['2027-10-02', '2027-10-03', '2027-10-09', '2027-10-30', '2027-10-31'];

describe('moveAmongDays', () => {
  it.each([
    ['2027-10-03', 'ArrowRight', '2027-10-09'],
    ['2027-10-09', 'ArrowLeft', '2027-10-03'],
    ['2027-10-02', 'ArrowDown', '2027-10-09'],
    ['2027-10-09', 'ArrowDown', '2027-10-30'],
    ['2027-10-30', 'ArrowUp', '2027-10-09'],
    ['2027-10-03', 'ArrowUp', '2027-10-02'],
    ['2027-10-31', 'ArrowRight', '2027-10-31'],
    ['2027-10-02', 'ArrowLeft', '2027-10-02'],
    ['2027-10-09', 'Home', '2027-10-02'],
    ['2027-10-09', 'End', '2027-10-31'],
  ])('moves from %s by %s to %s', (from, key, to) => {
    expect(moveAmongDays(DAYS, from, key)).toBe(to);
  });

  it('ignores other keys', () => {
    expect(moveAmongDays(DAYS, '2027-10-03', 'Enter')).toBeNull();
  });
});
