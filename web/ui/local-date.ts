import { type CalendarDate, parseCalendarDate } from '../../domain/calendar-date.ts';

/**
 * A day as the `Date` at its noon on the visitor's own clock, which is how the calendar grid counts days.
 * Noon exists on every day in every zone; midnight does not where clocks change at midnight.
 */
export function toLocalNoon(date: CalendarDate): Date {
  return new Date(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10)), 12);
}

/** The day that a `Date` of the calendar grid stands for, on the visitor's own clock. */
export function fromLocalDate(date: Date): CalendarDate {
  const text = [
    String(date.getFullYear()).padStart(4, '0'),
    String(date.getMonth() + 1).padStart(2, '0'),
    String(date.getDate()).padStart(2, '0'),
  ].join('-');
  const day = parseCalendarDate(text);
  if (day === null) throw new Error(`The calendar gave a day that is none: ${text}`);
  return day;
}
