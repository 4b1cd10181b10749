import { afterEach, describe, expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../domain/calendar-date.ts';
import { fromLocalDate, toLocalNoon } from './local-date.ts';

const ZONE = process.env.TZ;

afterEach(() => {
  if (ZONE === undefined) delete process.env.TZ;
  else process.env.TZ = ZONE;
});

describe('toLocalNoon and fromLocalDate', () => {
  // Clocks in Santiago, Beirut and Cairo change at midnight, which some days lack.
  const zones = [
    'Europe/London',
    'Pacific/Auckland',
    'Pacific/Kiritimati',
    'Pacific/Honolulu',
    'America/Santiago',
    'Asia/Beirut',
    'Africa/Cairo',
  ];

  it.each(zones)('agree in %s on every day of three years', (zone) => {
    process.env.TZ = zone;
    const first = dayNumber('2027-01-01');
    for (let day = first; day < first + 1100; day += 1) {
      const date = fromDayNumber(day);
      const local = toLocalNoon(date);
      expect([fromLocalDate(local), local.getHours()]).toEqual([date, 12]);
      expect(fromLocalDate(new Date(local.getFullYear(), local.getMonth(), local.getDate()))).toBe(date);
    }
  });

  it('reject an invalid Date', () => {
    expect(() => fromLocalDate(new Date(Number.NaN))).toThrow('NaN');
  });
});
