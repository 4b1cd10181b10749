import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import {
  addDays,
  addMonths,
  dayNumber,
  dayNumberAtStart,
  daysBetween,
  defaultSearchDate,
  departureDate,
  departureWindow,
  fromDayNumber,
  isInDepartureWindow,
  parseCalendarDate,
  todayInLondon,
} from './calendar-date.ts';
import { formatLongDate, formatSpokenDate, weekdayName } from './day-words.ts';

const date = fc.integer({ min: 0, max: 80_000 }).map(fromDayNumber);

describe('parseCalendarDate', () => {
  it.each(['2027-05-01', '2028-02-29', '2000-02-29', '2027-12-31', '1970-01-01'])('accepts %s', (text) => {
    expect(parseCalendarDate(text)).toBe(text);
  });

  it.each([
    '',
    '2027-02-29',
    '2100-02-29',
    '2027-04-31',
    '2027-13-01',
    '2027-00-10',
    '2027-01-00',
    '2027-1-1',
    '01/05/2027',
    '2027-05-01T00:00:00Z',
    ' 2027-05-01',
    '2027-05-01\n',
    '+12027-05-01',
    'today',
  ])('rejects %j', (text) => {
    expect(parseCalendarDate(text)).toBeNull();
  });
});

describe('todayInLondon', () => {
  it.each([
    ['2026-07-10T22:59:59Z', '2026-07-10'],
    ['2026-07-10T23:00:00Z', '2026-07-11'],
    ['2026-01-10T23:59:59Z', '2026-01-10'],
    ['2026-01-11T00:00:00Z', '2026-01-11'],
    // Clocks go forward at 01:00 on 29 March 2026, and back at 02:00 on 25 October.
    ['2026-03-28T23:59:59Z', '2026-03-28'],
    ['2026-03-29T00:00:00Z', '2026-03-29'],
    ['2026-03-29T22:59:59Z', '2026-03-29'],
    ['2026-03-29T23:00:00Z', '2026-03-30'],
    ['2026-10-24T23:00:00Z', '2026-10-25'],
    ['2026-10-25T23:59:59Z', '2026-10-25'],
    ['2026-12-31T23:59:59Z', '2026-12-31'],
  ])('at %s is %s', (instant, day) => {
    expect(todayInLondon(Date.parse(instant))).toBe(day);
  });
});

describe('in any time zone of the machine', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it.each(['Pacific/Auckland', 'Pacific/Honolulu', 'Europe/London'])('does not shift dates in %s', (name) => {
    process.env.TZ = name;
    expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(name);
    expect(todayInLondon(Date.parse('2026-07-10T23:30:00Z'))).toBe('2026-07-11');
    expect(addDays('2026-03-28', 2)).toBe('2026-03-30');
    expect(addMonths('2026-10-25', 1)).toBe('2026-11-25');
    expect(formatLongDate('2027-05-01')).toBe('1st May 2027');
    expect(weekdayName('2027-05-01')).toBe('Saturday');
    expect(formatSpokenDate('2027-05-01')).toBe('Saturday 1 May 2027');
    expect(parseCalendarDate('2026-03-29')).toBe('2026-03-29');
  });
});

describe('Day arithmetic', () => {
  it.each([
    ['2026-12-31', 1, '2027-01-01'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2027-02-28', 1, '2027-03-01'],
    ['2026-03-28', 2, '2026-03-30'],
    ['2026-10-24', 2, '2026-10-26'],
    ['2027-01-01', -1, '2026-12-31'],
  ])('%s plus %d days is %s', (from, days, to) => {
    expect(addDays(from, days)).toBe(to);
    expect(daysBetween(from, to)).toBe(days);
  });

  it('counts days from 1970-01-01', () => {
    expect(dayNumber('1970-01-01')).toBe(0);
    expect(dayNumber('2027-05-01')).toBe(20_939);
  });

  it('is reversible, and preserves the order of dates', () => {
    fc.assert(
      fc.property(date, fc.integer({ min: -2_000, max: 2_000 }), (from, days) => {
        const to = addDays(from, days);
        expect(addDays(to, -days)).toBe(from);
        expect(daysBetween(from, to)).toBe(days);
        expect(from < to).toBe(days > 0);
        expect(fromDayNumber(dayNumber(from))).toBe(from);
      }),
    );
  });
});

describe('addMonths', () => {
  it.each([
    ['2026-08-31', 6, '2027-02-28'],
    ['2027-08-31', 6, '2028-02-29'],
    ['2026-01-31', 1, '2026-02-28'],
    ['2026-03-31', 1, '2026-04-30'],
    ['2026-12-15', 1, '2027-01-15'],
    ['2026-12-31', 18, '2028-06-30'],
    ['2028-02-29', 12, '2029-02-28'],
    ['2026-05-01', 0, '2026-05-01'],
    ['2027-03-31', -1, '2027-02-28'],
  ])('%s plus %d months is %s', (from, months, to) => {
    expect(addMonths(from, months)).toBe(to);
  });

  it("moves by the exact number of months, to the same day or the month's last", () => {
    fc.assert(
      fc.property(date, fc.integer({ min: 0, max: 60 }), (from, months) => {
        const to = addMonths(from, months);
        const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
        expect(monthOf(to) - monthOf(from)).toBe(months);
        const isLastDay = addDays(to, 1).endsWith('-01');
        expect(to.slice(8) === from.slice(8) || (isLastDay && to.slice(8) < from.slice(8))).toBe(true);
      }),
    );
  });
});

describe('The departure window', () => {
  // @proves 2.32
  it.each([
    ['2026-07-10', '2026-07-11', '2028-01-10'],
    ['2026-08-31', '2026-09-01', '2028-02-29'],
    ['2026-12-31', '2027-01-01', '2028-06-30'],
    ['2028-02-29', '2028-03-01', '2029-08-29'],
  ])('on %s is %s to %s', (today, earliest, latest) => {
    expect(departureWindow(today)).toEqual({ earliest, latest });
    expect(isInDepartureWindow(today, today)).toBe(false);
    expect(isInDepartureWindow(earliest, today)).toBe(true);
    expect(isInDepartureWindow(latest, today)).toBe(true);
    expect(isInDepartureWindow(addDays(latest, 1), today)).toBe(false);
  });

  it.each([
    [null, '2026-07-11'],
    ['2026-07-11', '2026-07-11'],
    ['2027-02-14', '2027-02-14'],
    ['2028-01-10', '2028-01-10'],
    ['2026-07-10', '2026-07-11'],
    ['2028-01-11', '2026-07-11'],
  ])('with %j in the form on 2026-07-10, the day to search is %s', (picked, date) => {
    expect(departureDate(picked, '2026-07-10')).toBe(date);
  });

  it('has a default date one month ahead', () => {
    expect(defaultSearchDate('2026-07-10')).toBe('2026-08-10');
    expect(defaultSearchDate('2027-01-31')).toBe('2027-02-28');
  });
});

describe('dayNumberAtStart', () => {
  it('agrees with Date on every day of eight centuries', () => {
    const first = Date.UTC(1600, 0, 1) / 86_400_000;
    for (let day = first; day < first + 292_194; day += 1) {
      const text = new Date(day * 86_400_000).toISOString().slice(0, 10);
      if (dayNumberAtStart(`${text}T06:30`) !== day || parseCalendarDate(text) !== text) {
        expect.fail(`${text} is day ${day}, and ${dayNumberAtStart(text)} was counted`);
      }
    }
  });

  it.each([
    '2027-02-29',
    '2100-02-29',
    '2027-04-31',
    '2027-13-01',
    '2027-00-10',
    '0001-01-01',
    '2027/05/01',
    '',
  ])('rejects %j', (text) => {
    expect(dayNumberAtStart(text)).toBeNull();
  });
});
