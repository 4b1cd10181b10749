import {
  addDays,
  addMonths,
  type CalendarDate,
  clampToWindow,
  departureWindow,
} from '../../domain/calendar-date.ts';
import { monthWords } from '../../domain/day-words.ts';
import type { DepartureSpan } from '../search/fetch-explore.ts';

/** When to depart: 'any', a half-year such as '2027-H1', or a month such as '2027-05'. */
export type When = string;

export const ANY_TIME: When = 'any';

export interface WhenOption {
  value: When;
  label: string;
}

/** The searchable days of `when`; null if there are none, or if `when` cannot be read. */
export function departureSpan(when: When, today: CalendarDate): DepartureSpan | null {
  const window = departureWindow(today);
  const { earliest, latest } = window;
  if (when === ANY_TIME) return { first: earliest, last: latest };
  const months = monthsOf(when);
  if (months === null) return null;
  const starts = `${months.first}-01`;
  const ends = addDays(addMonths(`${months.last}-01`, 1), -1);
  if (ends < earliest || starts > latest) return null;
  return { first: clampToWindow(starts, window), last: clampToWindow(ends, window) };
}

/** The half-years and months with searchable days. */
export function whenOptions(today: CalendarDate): { halves: WhenOption[]; months: WhenOption[] } {
  const { earliest, latest } = departureWindow(today);
  const months: WhenOption[] = [];
  const halves: WhenOption[] = [];
  for (let day = `${earliest.slice(0, 7)}-01`; day <= latest; day = addMonths(day, 1)) {
    const month = day.slice(0, 7);
    months.push({ value: month, label: monthWords(month) });
    const half = `${day.slice(0, 4)}-H${Number(day.slice(5, 7)) <= 6 ? 1 : 2}`;
    if (halves.at(-1)?.value !== half) halves.push({ value: half, label: halfName(half) });
  }
  return { halves, months };
}

/** 'at any time', 'in May 2027', 'from January to June 2027'. */
export function whenWords(when: When): string {
  if (when === ANY_TIME) return 'at any time';
  return when.includes('H') ? `from ${halfName(when)}` : `in ${monthWords(when)}`;
}

function halfName(half: string): string {
  return `${half.endsWith('1') ? 'January to June' : 'July to December'} ${half.slice(0, 4)}`;
}

/** The first and last month of `when`; null if it is neither a half-year nor a month. */
function monthsOf(when: When): { first: string; last: string } | null {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(when)) return { first: when, last: when };
  const [, year, half] = /^(\d{4})-H([12])$/.exec(when) ?? [];
  if (year === undefined) return null;
  return half === '1'
    ? { first: `${year}-01`, last: `${year}-06` }
    : { first: `${year}-07`, last: `${year}-12` };
}
