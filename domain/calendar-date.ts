import { madeOnce } from './made-once.ts';

/** A day on the calendar, `YYYY-MM-DD`, without a time or a zone (ruling 1). Today is always London's. */
export type CalendarDate = string;

const MS_A_DAY = 86_400_000;
const MONTHS_AHEAD = 18;

const london = madeOnce(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/London',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    }),
);

const MONTH_NAMES = [
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

/** The day that `text` is, or null unless it is exactly `YYYY-MM-DD` and on the calendar. */
export function parseCalendarDate(text: string): CalendarDate | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const ms = utcMs(text);
  return isoDay(ms) === text ? text : null;
}

/** The day that it is in London at an instant (milliseconds since the epoch). */
export function todayInLondon(epochMs: number): CalendarDate {
  const parts = london().formatToParts(epochMs);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
  return fromDayNumber(dayNumber(date) + days);
}

/** The same day of the month, `months` later; a month too short for it gives its last day. */
export function addMonths(date: CalendarDate, months: number): CalendarDate {
  const { year, month, day } = partsOf(date);
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return isoDay(Date.UTC(year, month - 1 + months, Math.min(day, lastDay)));
}

/** Nights from one day to another; negative when `to` is earlier. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return dayNumber(to) - dayNumber(from);
}

/** Days since 1970-01-01. `date` must be a day that exists. */
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

/** The day that a form's search departs on: the one picked, or tomorrow where none is or it has passed (ruling 1). */
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

/** 'Saturday 1 May 2027': with the day's number as a calendar paints it, so that a spoken name has what is seen. */
export function formatSpokenDate(date: CalendarDate): string {
  const { year, month, day } = partsOf(date);
  return `${weekdayName(date)} ${day} ${MONTH_NAMES[month - 1] ?? ''} ${year}`;
}

/** 'Saturday'. */
export function weekdayName(date: CalendarDate): string {
  return WEEKDAY_NAMES[new Date(utcMs(date)).getUTCDay()] ?? '';
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
