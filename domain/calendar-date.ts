import { lazy } from './lazy.ts';

/** A calendar day, `YYYY-MM-DD`, without a time or a zone. Today is always today in London. */
export type CalendarDate = string;

const MS_A_DAY = 86_400_000;
const MONTHS_AHEAD = 18;

const ZERO = '0'.charCodeAt(0);
const DASH = '-'.charCodeAt(0);

/** `Date` reads a lower year as a year from 1900 to 1999. */
const FIRST_YEAR = 100;

/** The days from 0000-03-01 to 1970-01-01. */
const DAYS_TO_1970 = 719_468;

const london = lazy(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/London',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    }),
);

/** Returns `text` if it is exactly `YYYY-MM-DD` and a real day, else null. */
export function parseCalendarDate(text: string): CalendarDate | null {
  return text.length === 10 && dayNumberAtStart(text) !== null ? text : null;
}

/**
 * The day at the start of `text`, as days since 1970-01-01; null unless it is `YYYY-MM-DD` and a real day.
 * Uses plain arithmetic, because a feed import calls it several times per row.
 */
export function dayNumberAtStart(text: string): number | null {
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return null;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  // Non-digits give NaN, which fails every comparison.
  if (!(year >= FIRST_YEAR && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)))
    return null;
  return civilDay(year, month - 1, day);
}

/** The number in the two digits at position `at`; NaN if they are not digits. */
export function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** The day in London at an instant (milliseconds since the epoch). */
export function todayInLondon(epochMs: number): CalendarDate {
  const parts = london().formatToParts(epochMs);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
  return fromDayNumber(dayNumber(date) + days);
}

/** The same day in a later month, or that month's last day if the month is too short. */
export function addMonths(date: CalendarDate, months: number): CalendarDate {
  const { year, month, day } = partsOf(date);
  const first = civilDay(year, month - 1 + months, 1);
  const next = civilDay(year, month + months, 1);
  return fromDayNumber(Math.min(first + day, next) - 1);
}

/** The month of a day, `YYYY-MM`. */
export function monthOf(date: CalendarDate): string {
  return date.slice(0, 7);
}

/** Nights from one day to another; negative when `to` is earlier. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return dayNumber(to) - dayNumber(from);
}

/** Days since 1970-01-01. `date` must be a real day. */
export function dayNumber(date: CalendarDate): number {
  const { year, month, day } = partsOf(date);
  return civilDay(year, month - 1, day);
}

export function fromDayNumber(day: number): CalendarDate {
  return new Date(day * MS_A_DAY).toISOString().slice(0, 10);
}

/**
 * Days since 1970-01-01 (Hinnant's `days_from_civil`). Counts years from March, so that the leap day comes
 * last. January is month 0; months above 11 continue into the next years.
 */
export function civilDay(year: number, month: number, day: number): number {
  const fromMarch = year * 12 + month - 2;
  const ofYear = Math.floor(fromMarch / 12);
  const leapDays = Math.floor(ofYear / 4) - Math.floor(ofYear / 100) + Math.floor(ofYear / 400);
  const ofMonths = Math.floor((153 * (fromMarch - 12 * ofYear) + 2) / 5);
  return ofYear * 365 + leapDays + ofMonths + day - 1 - DAYS_TO_1970;
}

/** The days that can be picked, both ends included. */
export interface DateWindow {
  earliest: CalendarDate;
  latest: CalendarDate;
}

/** The day nearest to `date` in the window. */
export function clampToWindow(date: CalendarDate, { earliest, latest }: DateWindow): CalendarDate {
  if (date < earliest) return earliest;
  return date > latest ? latest : date;
}

/** The first and last day that visitors can search: tomorrow and 18 months ahead (Section 5). */
export function departureWindow(today: CalendarDate): DateWindow {
  return { earliest: addDays(today, 1), latest: addMonths(today, MONTHS_AHEAD) };
}

export function isInDepartureWindow(date: CalendarDate, today: CalendarDate): boolean {
  const { earliest, latest } = departureWindow(today);
  return earliest <= date && date <= latest;
}

/** The day to search: the picked day, or tomorrow if none is picked or it has passed. */
export function departureDate(picked: CalendarDate | null, today: CalendarDate): CalendarDate {
  return picked !== null && isInDepartureWindow(picked, today) ? picked : departureWindow(today).earliest;
}

/** The start date if a search names none: a month ahead (Section 9). The form starts with tomorrow. */
export function defaultSearchDate(today: CalendarDate): CalendarDate {
  return addMonths(today, 1);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** The year, month and day of a date. January is 1. */
export function partsOf(date: CalendarDate): { year: number; month: number; day: number } {
  return {
    year: Number(date.slice(0, 4)),
    month: Number(date.slice(5, 7)),
    day: Number(date.slice(8, 10)),
  };
}
