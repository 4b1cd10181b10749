import { describe, expect, it } from 'vitest';
import { dayNumber } from '../../domain/calendar-date.ts';
import { localTimes, SECOND_TIME } from './local-time.ts';

const times = localTimes();

/** Converts a UTC time to minutes since 1970. */
const utc = (iso: string) => Date.parse(iso) / 60_000;

describe('localTimes', () => {
  it.each([
    ['Europe/London', '2027-01-15', '06:30', '2027-01-15T06:30:00+00:00'],
    ['Europe/London', '2027-07-15', '06:30', '2027-07-15T06:30:00+01:00'],
    ['Europe/Athens', '2027-07-15', '23:59', '2027-07-15T23:59:00+03:00'],
    ['America/Cancun', '2027-07-15', '00:00', '2027-07-15T00:00:00-05:00'],
    ['Asia/Kolkata', '2027-07-15', '12:00', '2027-07-15T12:00:00+05:30'],
    // The days on which British clocks go forward or back, before and after the change.
    ['Europe/London', '2027-03-28', '00:30', '2027-03-28T00:30:00+00:00'],
    ['Europe/London', '2027-03-28', '06:30', '2027-03-28T06:30:00+01:00'],
    ['Europe/London', '2027-10-31', '00:30', '2027-10-31T00:30:00+01:00'],
    ['Europe/London', '2027-10-31', '06:30', '2027-10-31T06:30:00+00:00'],
  ])('%s on %s at %s is %s', (zone, date, clock, expected) => {
    const [hours = 0, minutes = 0] = clock.split(':').map(Number);
    const instant = times.toInstant(zone, dayNumber(date), hours * 60 + minutes);
    expect(times.format(zone, instant)).toBe(expected);
    expect(utc(expected)).toBe(instant);
  });

  it('agrees with the time zone at every hour of the days around a clock change', () => {
    for (const zone of ['Europe/London', 'Europe/Athens', 'Africa/Casablanca', 'America/New_York']) {
      for (let hour = 0; hour < 24 * 5; hour += 1) {
        const instant = utc('2027-03-26T00:00Z') + hour * 60;
        const text = times.format(zone, instant);
        expect(utc(text)).toBe(instant);
        const clock = new Intl.DateTimeFormat('sv-SE', {
          timeZone: zone,
          dateStyle: 'short',
          timeStyle: 'medium',
        });
        expect(text.slice(0, 19).replace('T', ' ')).toBe(clock.format(instant * 60_000));
      }
    }
  });

  it.each([
    ['Europe/London', '2027-10-31', 90, '2027-10-31T01:30:00+01:00', '2027-10-31T01:30:00+00:00'],
    ['Europe/London', '2027-10-31', 60, '2027-10-31T01:00:00+01:00', '2027-10-31T01:00:00+00:00'],
    ['Europe/London', '2027-10-31', 119, '2027-10-31T01:59:00+01:00', '2027-10-31T01:59:00+00:00'],
    ['Europe/Madrid', '2027-10-31', 150, '2027-10-31T02:30:00+02:00', '2027-10-31T02:30:00+01:00'],
    ['Europe/Athens', '2027-10-31', 210, '2027-10-31T03:30:00+03:00', '2027-10-31T03:30:00+02:00'],
    ['America/New_York', '2027-11-07', 90, '2027-11-07T01:30:00-04:00', '2027-11-07T01:30:00-05:00'],
    ['Australia/Lord_Howe', '2027-04-04', 105, '2027-04-04T01:45:00+11:00', '2027-04-04T01:45:00+10:30'],
    // A night flight home, in minutes counted from the previous day.
    ['Europe/London', '2027-10-30', 1_530, '2027-10-31T01:30:00+01:00', '2027-10-31T01:30:00+00:00'],
  ])(
    'distinguishes, for %s on %s, the two times at which clocks show minute %i',
    (zone, date, minute, first, second) => {
      const day = dayNumber(date);
      expect(times.format(zone, times.toInstant(zone, day, minute))).toBe(first);
      expect(times.format(zone, times.toInstant(zone, day, minute + SECOND_TIME))).toBe(second);
      const local = day * 1_440 + minute;
      expect(times.toLocal(zone, utc(first))).toEqual({ local, isSecond: false });
      expect(times.toLocal(zone, utc(second))).toEqual({ local, isSecond: true });
    },
  );

  it.each([
    ['Europe/London', '2027-10-31', 59],
    ['Europe/London', '2027-10-31', 120],
    ['Europe/London', '2027-06-12', 90],
    ['Europe/London', '2027-03-28', 90],
  ])('finds no second time, for %s on %s, at minute %i', (zone, date, minute) => {
    const day = dayNumber(date);
    expect(times.toInstant(zone, day, minute + SECOND_TIME)).toBe(times.toInstant(zone, day, minute));
  });

  it.each([
    ['Europe/London', '2027-03-28', 90, '2027-03-28T02:30:00+01:00'],
    ['Europe/Madrid', '2027-03-28', 150, '2027-03-28T03:30:00+02:00'],
    ['America/New_York', '2027-03-14', 150, '2027-03-14T03:30:00-04:00'],
  ])(
    'converts, for %s on %s, the skipped minute %i with the offset before the change',
    (zone, date, minute, expected) => {
      expect(times.format(zone, times.toInstant(zone, dayNumber(date), minute))).toBe(expected);
    },
  );
});
