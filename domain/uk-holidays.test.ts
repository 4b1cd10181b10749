import { describe, expect, it } from 'vitest';
import { ukHoliday } from './uk-holidays.ts';
import { nationOfAirport } from './uk-nation.ts';

const nameOf = (date: string, airport = 'LGW') => ukHoliday(date, nationOfAirport(airport))?.name ?? null;

describe('the holiday of a departure', () => {
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

  it('moves a bank holiday on a weekend to the Monday', () => {
    // 30 November 2030 is a Saturday.
    expect(nameOf('2030-11-30', 'EDI')).toBe('St Andrew’s Day');
    expect(nameOf('2030-12-02', 'EDI')).toBe('St Andrew’s Day');
    expect(nameOf('2030-12-03', 'EDI')).toBeNull();
  });
});
