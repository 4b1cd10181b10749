import { describe, expect, it } from 'vitest';
import { addDays } from './calendar-date.ts';
import { ukHoliday } from './uk-holidays.ts';
import { nationOfAirport } from './uk-nation.ts';

const nameOf = (date: string, airport = 'LGW') => ukHoliday(date, nationOfAirport(airport))?.name ?? null;

describe('The holiday of a departure', () => {
  it.each([
    ['2026-12-19', 'LGW', 'Christmas holidays'],
    ['2027-01-02', 'LGW', 'Christmas holidays'],
    ['2027-01-05', 'LGW', null],
    ['2027-02-13', 'LGW', 'February half-term'],
    ['2027-03-27', 'LGW', 'Easter holidays'],
    ['2027-04-30', 'LGW', 'Early May bank holiday'],
    ['2027-05-03', 'LGW', 'Early May bank holiday'],
    ['2027-05-04', 'LGW', null],
    ['2027-05-29', 'LGW', 'May half-term'],
    ['2027-07-01', 'LGW', null],
    ['2027-07-01', 'GLA', 'Summer holidays'],
    ['2027-08-20', 'GLA', null],
    ['2027-08-20', 'LGW', 'Summer holidays'],
    ['2027-08-20', 'BFS', 'Summer holidays'],
    ['2027-10-13', 'EDI', 'October holidays'],
    ['2027-10-13', 'MAN', null],
    ['2027-10-26', 'MAN', 'October half-term'],
    ['2027-11-30', 'EDI', 'St Andrew’s Day'],
    ['2027-03-17', 'BFS', 'St Patrick’s Day'],
    ['2033-12-25', 'LGW', 'Christmas holidays'],
  ])('on %s from %s is %s', (date, airport, name) => expect(nameOf(date, airport)).toBe(name));

  // Published dates. docs/price-analysis.md names their sources.
  it.each([
    ['LGW', '2026-12-19', '2027-01-03', 'Christmas holidays'],
    ['LGW', '2027-02-13', '2027-02-19', 'February half-term'],
    ['LGW', '2027-03-26', '2027-04-11', 'Easter holidays'],
    ['LGW', '2027-05-29', '2027-06-04', 'May half-term'],
    ['LGW', '2027-07-23', '2027-08-31', 'Summer holidays'],
    ['EDI', '2026-10-12', '2026-10-16', 'October holidays'],
    ['EDI', '2027-03-26', '2027-04-09', 'Easter holidays'],
    ['LGW', '2025-04-05', '2025-04-21', 'Easter holidays'],
    ['BFS', '2026-04-02', '2026-04-10', 'Easter holidays'],
    ['LGW', '2027-10-23', '2027-10-29', 'October half-term'],
    ['LGW', '2027-12-18', '2028-01-03', 'Christmas holidays'],
    ['LGW', '2028-02-12', '2028-02-18', 'February half-term'],
    ['LGW', '2028-04-01', '2028-04-17', 'Easter holidays'],
    ['LGW', '2028-05-27', '2028-06-02', 'May half-term'],
    ['LGW', '2028-07-22', '2028-08-31', 'Summer holidays'],
    ['EDI', '2027-10-11', '2027-10-22', 'October holidays'],
    ['EDI', '2027-12-23', '2028-01-04', 'Christmas holidays'],
    ['EDI', '2028-04-03', '2028-04-14', 'Easter holidays'],
  ])('from %s, every day from %s to %s is in the %s', (airport, first, last, name) => {
    for (let day = first; day <= last; day = addDays(day, 1)) expect(nameOf(day, airport), day).toBe(name);
  });

  it.each([
    '2027-03-19',
    '2027-03-24',
    '2027-04-12',
    '2025-04-22',
    '2027-11-01',
    '2027-12-17',
    '2028-02-21',
    '2028-03-30',
    '2028-04-18',
    '2028-06-05',
  ])('%s is in term in England', (day) => expect(nameOf(day)).toBeNull());

  it('moves a bank holiday on a weekend to the Monday', () => {
    // 30 November 2030 is a Saturday.
    expect(nameOf('2030-11-30', 'EDI')).toBe('St Andrew’s Day');
    expect(nameOf('2030-12-02', 'EDI')).toBe('St Andrew’s Day');
    expect(nameOf('2030-12-03', 'EDI')).toBeNull();
  });
});
