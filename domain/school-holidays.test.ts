import { expect, it } from 'vitest';
import { easterSunday, isSchoolHoliday } from './school-holidays.ts';

it.each([
  [2026, '2026-04-05'],
  [2027, '2027-03-28'],
  [2028, '2028-04-16'],
  [2038, '2038-04-25'],
])('Easter of %i is on %s', (year, date) => {
  expect(easterSunday(year)).toBe(date);
});

it.each([
  ['2026-10-24', true], // Saturday before October's half-term
  ['2026-10-31', false],
  ['2026-12-25', true],
  ['2027-01-01', true],
  ['2027-01-09', false],
  ['2027-02-15', true],
  ['2027-02-08', false],
  ['2027-03-26', true], // Good Friday
  ['2027-04-12', false],
  ['2027-05-31', true], // Spring bank holiday
  ['2027-06-12', false],
  ['2027-07-10', false],
  ['2027-07-24', true],
  ['2027-08-31', true],
  ['2027-09-04', false],
])('%s: school holiday %s', (date, holiday) => {
  expect(isSchoolHoliday(date)).toBe(holiday);
});
