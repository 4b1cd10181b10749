import { civilDay } from './calendar-date.ts';

const MS_A_DAY = 86_400_000;

/** The month of a day. Months count from 1970-01, days from 1970-01-01. */
export function monthOfDay(day: number): number {
  const date = new Date(day * MS_A_DAY);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** The first day of a month, as days since 1970-01-01. Fast, because a search calls it very often. */
export function firstDayOfMonth(month: number): number {
  return civilDay(1970, month, 1);
}
