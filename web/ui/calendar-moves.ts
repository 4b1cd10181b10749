import {
  addDays,
  addMonths,
  type CalendarDate,
  clampToWindow,
  type DateWindow,
  dayNumber,
  daysBetween,
  monthOf,
} from '../../domain/calendar-date.ts';

/**
 * The day that a key moves to, within the window; null for other keys. Arrows move by day and week, Page Up and Down by
 * month (with Shift by year), Home and End to Monday and Sunday.
 */
export function moveByKey(
  date: CalendarDate,
  key: string,
  shiftKey: boolean,
  window: DateWindow,
): CalendarDate | null {
  const months = shiftKey ? 12 : 1;
  const weekday = daysSinceMonday(date);
  const targets = new Map([
    ['ArrowLeft', addDays(date, -1)],
    ['ArrowRight', addDays(date, 1)],
    ['ArrowUp', addDays(date, -7)],
    ['ArrowDown', addDays(date, 7)],
    ['PageUp', addMonths(date, -months)],
    ['PageDown', addMonths(date, months)],
    ['Home', addDays(date, -weekday)],
    ['End', addDays(date, 6 - weekday)],
  ]);
  const target = targets.get(key);
  return target === undefined ? null : clampToWindow(target, window);
}

/** The weeks, from Monday, that have days of the month of `date`. */
export function weeksOf(date: CalendarDate): CalendarDate[][] {
  const first = `${monthOf(date)}-01`;
  const monday = addDays(first, -daysSinceMonday(first));
  const weeks = Math.ceil(daysBetween(monday, addMonths(first, 1)) / 7);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => addDays(monday, 7 * week + day)),
  );
}

/** Day 0, 1 January 1970, was a Thursday. */
function daysSinceMonday(date: CalendarDate): number {
  return (dayNumber(date) + 3) % 7;
}
