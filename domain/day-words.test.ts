import { expect, it } from 'vitest';
import {
  formatBriefWeekday,
  formatClock,
  formatLongDate,
  formatShortDate,
  formatSpokenDate,
  monthWords,
  weekdayName,
} from './day-words.ts';

it.each([
  ['2027-05-01', '01/05/2027', '1st May 2027', 'Saturday'],
  ['2026-12-02', '02/12/2026', '2nd December 2026', 'Wednesday'],
  ['2027-01-03', '03/01/2027', '3rd January 2027', 'Sunday'],
  ['2027-02-04', '04/02/2027', '4th February 2027', 'Thursday'],
  ['2027-03-11', '11/03/2027', '11th March 2027', 'Thursday'],
  ['2027-04-12', '12/04/2027', '12th April 2027', 'Monday'],
  ['2027-06-13', '13/06/2027', '13th June 2027', 'Sunday'],
  ['2027-07-20', '20/07/2027', '20th July 2027', 'Tuesday'],
  ['2027-08-21', '21/08/2027', '21st August 2027', 'Saturday'],
  ['2027-09-22', '22/09/2027', '22nd September 2027', 'Wednesday'],
  ['2027-10-23', '23/10/2027', '23rd October 2027', 'Saturday'],
  ['2028-02-29', '29/02/2028', '29th February 2028', 'Tuesday'],
  ['2027-11-30', '30/11/2027', '30th November 2027', 'Tuesday'],
  ['2027-12-31', '31/12/2027', '31st December 2027', 'Friday'],
])('writes %s as %s, %s and %s', (day, short, long, weekday) => {
  expect(formatShortDate(day)).toBe(short);
  expect(formatLongDate(day)).toBe(long);
  expect(weekdayName(day)).toBe(weekday);
});

it('writes days, months and times for lists, plots and screen readers', () => {
  expect(formatSpokenDate('2027-05-01')).toBe('Saturday 1 May 2027');
  expect(formatBriefWeekday('2027-09-04')).toBe('Sat 4 Sep');
  expect([monthWords('2028-01'), monthWords('2028-01-31')]).toEqual(['January 2028', 'January 2028']);
  expect([formatClock(5), formatClock(845)]).toEqual(['00:05', '14:05']);
});
