import { type CalendarDate, dayNumber, partsOf } from './calendar-date.ts';

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

const WEEKDAY_NAMES = ['Thursday', 'Friday', 'Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday'];

/** '01/05/2027' (Section 9). */
export function formatShortDate(date: CalendarDate): string {
  return date.split('-').reverse().join('/');
}

/** '1st May 2027': the long British form (Section 2). */
export function formatLongDate(date: CalendarDate): string {
  const { day } = partsOf(date);
  return `${day}${ordinalSuffix(day)} ${monthWords(date)}`;
}

/** '1 May 2027'. */
export function formatPlainDate(date: CalendarDate): string {
  return `${partsOf(date).day} ${monthWords(date)}`;
}

/** '1 May', for days of the last year. */
export function formatDayOfMonth(date: CalendarDate): string {
  const { day, month } = partsOf(date);
  return `${day} ${monthName(month)}`;
}

/** 'Saturday 1 May 2027'. For accessible names, which must contain the number that the calendar shows. */
export function formatSpokenDate(date: CalendarDate): string {
  return `${weekdayName(date)} ${formatPlainDate(date)}`;
}

/** '1 Sep', for plots and tables. */
export function formatBriefDay(date: CalendarDate): string {
  const { day, month } = partsOf(date);
  return `${day} ${monthName(month).slice(0, 3)}`;
}

/** 'Sat 1 May'. */
export function formatBriefWeekday(date: CalendarDate): string {
  return `${weekdayName(date).slice(0, 3)} ${formatBriefDay(date)}`;
}

/** 'May 2027' from a day or from 'YYYY-MM'. */
export function monthWords(month: string): string {
  const { year, month: number } = partsOf(month);
  return `${monthName(number)} ${year}`;
}

/** 'Saturday'. */
export function weekdayName(date: CalendarDate): string {
  return WEEKDAY_NAMES[((dayNumber(date) % 7) + 7) % 7] ?? '';
}

/** '14:05' from minutes after midnight. */
export function formatClock(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

function monthName(month: number): string {
  return MONTH_NAMES[month - 1] ?? '';
}

function ordinalSuffix(day: number): string {
  if (day >= 11 && day <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}
