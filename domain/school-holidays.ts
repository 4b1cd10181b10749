import { addDays, type CalendarDate, dayNumber } from './calendar-date.ts';

/**
 * Whether a day is in the school holidays of England and Wales, by the usual pattern of state schools
 * (gov.uk, "School term and holiday dates"). A half-term week counts from Saturday to Friday.
 */
export function isSchoolHoliday(date: CalendarDate): boolean {
  const year = Number(date.slice(0, 4));
  const [easterFrom, easterTo] = easterHolidays(easterSunday(year));
  return (
    isBetween(date, `${year}-07-20`, `${year}-08-31`) ||
    isBetween(date, `${year}-12-18`, `${year}-12-31`) ||
    date === `${year}-01-01` ||
    isBetween(date, easterFrom, easterTo) ||
    [mondayFrom(`${year}-02-12`), mondayFrom(`${year}-05-25`), mondayFrom(`${year}-10-22`)].some((monday) =>
      isBetween(date, addDays(monday, -2), addDays(monday, 4)),
    )
  );
}

/** The Easter holidays: two weeks that follow an early Easter, or end with a late one. */
export function easterHolidays(easter: CalendarDate): readonly [CalendarDate, CalendarDate] {
  const day = easter.slice(5);
  if (day <= '04-01') return [addDays(easter, -3), addDays(easter, 14)];
  if (day <= '04-15') return [addDays(easter, -9), addDays(easter, 7)];
  return [addDays(easter, -16), addDays(easter, 1)];
}

/** Easter Sunday of the Gregorian calendar (the anonymous algorithm of Nature, 20 April 1876). */
export function easterSunday(year: number): CalendarDate {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const e = b % 4;
  const g = Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const k = c % 4;
  const l = (32 + 2 * e + 2 * Math.floor(c / 4) - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  const month = Math.floor(n / 31);
  const day = (n % 31) + 1;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

function mondayFrom(date: CalendarDate): CalendarDate {
  // 1 January 1970, day 0, was a Thursday.
  const weekday = (dayNumber(date) + 4) % 7;
  return addDays(date, (8 - weekday) % 7);
}

function isBetween(date: CalendarDate, first: CalendarDate, last: CalendarDate): boolean {
  return first <= date && date <= last;
}
