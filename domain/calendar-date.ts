import { lazy } from './lazy.ts';

/** A calendar day, `YYYY-MM-DD`, without a time or a zone (ruling 1). Today is always today in London. */
export type CalendarDate = string;

const MS_A_DAY = 86_400_000;
const MONTHS_AHEAD = 18;

const ZERO = '0'.charCodeAt(0);
const DASH = '-'.charCodeAt(0);

/** JavaScript reads a year below 100 as 19xx. */
const FIRST_YEAR = 100;

/** Days from 1 March of the year 0 to 1970-01-01. */
const EPOCH_FROM_YEAR_0 = 719_468;

const london = lazy(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/London',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    }),
);

export const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const WEEKDAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** `text` if it is exactly `YYYY-MM-DD` and a real day, else null. */
export function parseCalendarDate(text: string): CalendarDate | null {
  return text.length === 10 && dayNumberAtStart(text) !== null ? text : null;
}

/**
 * Days since 1970-01-01 of the day at the start of `text`; null unless that is `YYYY-MM-DD` and a real day.
 * Plain arithmetic, because a feed import calls it several times a row.
 */
export function dayNumberAtStart(text: string): number | null {
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return null;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  // Non-digits give NaN, which fails every comparison.
  if (!(year >= FIRST_YEAR && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)))
    return null;
  // Years are counted from March, so that the leap day comes last.
  const [ofYear, ofMonth] = month > 2 ? [year, month - 3] : [year - 1, month + 9];
  const leapDays = Math.floor(ofYear / 4) - Math.floor(ofYear / 100) + Math.floor(ofYear / 400);
  return ofYear * 365 + leapDays + Math.floor((153 * ofMonth + 2) / 5) + day - 1 - EPOCH_FROM_YEAR_0;
}

/** The number that two digits at position `at` form; NaN if they are not digits. */
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

/** The same day of a later month, or that month's last day. */
export function addMonths(date: CalendarDate, months: number): CalendarDate {
  const { year, month, day } = partsOf(date);
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return isoDay(Date.UTC(year, month - 1 + months, Math.min(day, lastDay)));
}

/** Nights from one day to another; negative when `to` is earlier. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return dayNumber(to) - dayNumber(from);
}

/** Days since 1970-01-01. `date` must be a real day. */
export function dayNumber(date: CalendarDate): number {
  return utcMs(date) / MS_A_DAY;
}

export function fromDayNumber(day: number): CalendarDate {
  return isoDay(day * MS_A_DAY);
}

/** The days that can be searched, both ends included: tomorrow to 18 months ahead (Section 5). */
export function departureWindow(today: CalendarDate): { earliest: CalendarDate; latest: CalendarDate } {
  return { earliest: addDays(today, 1), latest: addMonths(today, MONTHS_AHEAD) };
}

export function isInDepartureWindow(date: CalendarDate, today: CalendarDate): boolean {
  const { earliest, latest } = departureWindow(today);
  return earliest <= date && date <= latest;
}

/** The day to search: the picked day, or tomorrow if none is picked or it has passed (ruling 1). */
export function departureDate(picked: CalendarDate | null, today: CalendarDate): CalendarDate {
  return picked !== null && isInDepartureWindow(picked, today) ? picked : departureWindow(today).earliest;
}

/** The data layer's start date, one month ahead (Section 9); the form's own default is tomorrow. */
export function defaultSearchDate(today: CalendarDate): CalendarDate {
  return addMonths(today, 1);
}

/** '01/05/2027' (Section 9). */
export function formatShortDate(date: CalendarDate): string {
  return date.split('-').reverse().join('/');
}

/** '1st May 2027': the long British form (Section 2). */
export function formatLongDate(date: CalendarDate): string {
  const { year, month, day } = partsOf(date);
  return `${day}${ordinalSuffix(day)} ${MONTH_NAMES[month - 1] ?? ''} ${year}`;
}

/** '1 May 2027'. */
export function formatPlainDate(date: CalendarDate): string {
  const { year, month, day } = partsOf(date);
  return `${day} ${MONTH_NAMES[month - 1] ?? ''} ${year}`;
}

/** 'Saturday 1 May 2027': contains the number that the calendar shows, for the accessible name. */
export function formatSpokenDate(date: CalendarDate): string {
  return `${weekdayName(date)} ${formatPlainDate(date)}`;
}

export function weekdayName(date: CalendarDate): string {
  return WEEKDAY_NAMES[new Date(utcMs(date)).getUTCDay()] ?? '';
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function ordinalSuffix(day: number): string {
  if (day >= 11 && day <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

function partsOf(date: CalendarDate): { year: number; month: number; day: number } {
  return {
    year: Number(date.slice(0, 4)),
    month: Number(date.slice(5, 7)),
    day: Number(date.slice(8, 10)),
  };
}

function utcMs(date: CalendarDate): number {
  const { year, month, day } = partsOf(date);
  return Date.UTC(year, month - 1, day);
}

function isoDay(ms: number): CalendarDate {
  return new Date(ms).toISOString().slice(0, 10);
}
