import { describe, expect, it } from 'vitest';
import { londonClock, londonInstant } from './london-time.ts';

describe('londonClock', () => {
  it.each([
    ['2027-01-15T07:59:59Z', '2027-01-15', 7 * 60 + 59],
    ['2027-07-15T22:59:59Z', '2027-07-15', 23 * 60 + 59],
    ['2027-07-15T23:00:00Z', '2027-07-16', 0],
    // Summer time begins on 28 March 2027 and ends on 31 October, both at 01:00 UTC.
    ['2027-03-28T00:59:59Z', '2027-03-28', 59],
    ['2027-03-28T01:00:00Z', '2027-03-28', 2 * 60],
    ['2027-10-31T00:59:59Z', '2027-10-31', 60 + 59],
    ['2027-10-31T01:00:00Z', '2027-10-31', 60],
  ])('%s is %s, minute %i', (instant, day, minute) => {
    expect(londonClock(Date.parse(instant))).toEqual({ day, minute });
  });
});

describe('londonInstant', () => {
  it.each([
    ['2027-01-15', 8 * 60, '2027-01-15T08:00:00.000Z'],
    ['2027-07-15', 8 * 60, '2027-07-15T07:00:00.000Z'],
    ['2027-03-28', 8 * 60, '2027-03-28T07:00:00.000Z'],
    ['2027-03-28', 0, '2027-03-28T00:00:00.000Z'],
    ['2027-10-31', 8 * 60, '2027-10-31T08:00:00.000Z'],
    ['2027-10-31', 0, '2027-10-30T23:00:00.000Z'],
    ['2027-10-30', 21 * 60, '2027-10-30T20:00:00.000Z'],
  ])('%s, minute %i is %s', (day, minute, instant) => {
    expect(new Date(londonInstant(day, minute)).toISOString()).toBe(instant);
  });

  it('is the inverse of londonClock, except in the hour that occurs twice', () => {
    const start = Date.UTC(2027, 0, 1);
    for (let quarter = 0; quarter < 366 * 96; quarter += 1) {
      const instant = start + quarter * 15 * 60_000;
      const { day, minute } = londonClock(instant);
      const isRepeated = day === '2027-10-31' && minute >= 60 && minute < 120;
      if (!isRepeated) expect(londonInstant(day, minute)).toBe(instant);
    }
  });
});
