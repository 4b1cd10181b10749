import { type CalendarDate, parseCalendarDate } from '../../domain/calendar-date.ts';

/** A day as noon in the visitor's time zone, for the calendar grid. Midnight does not exist on some days. */
export function toLocalNoon(date: CalendarDate): Date {
  return new Date(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10)), 12);
}

/** The day of a `Date` from the calendar grid, in the visitor's time zone. */
export function fromLocalDate(date: Date): CalendarDate {
  const text = [
    String(date.getFullYear()).padStart(4, '0'),
    String(date.getMonth() + 1).padStart(2, '0'),
    String(date.getDate()).padStart(2, '0'),
  ].join('-');
  const day = parseCalendarDate(text);
  if (day === null) throw new Error(`The calendar returned an invalid day: ${text}`);
  return day;
}
