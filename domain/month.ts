const MS_A_DAY = 86_400_000;

/** From 0000-03-01 to 1970-01-01. */
const DAYS_TO_1970 = 719_468;

/** The month of a day, in months since 1970-01. */
export function monthOfDay(day: number): number {
  const date = new Date(day * MS_A_DAY);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/**
 * The first day of a month, in days since 1970-01-01: Hinnant's `days_from_civil`, which counts years from
 * March so that the leap day is last. Avoids creating dates, because one search calls it hundreds of
 * thousands of times.
 */
export function firstDayOfMonth(month: number): number {
  const fromMarch = month + 1970 * 12 - 2;
  const year = Math.floor(fromMarch / 12);
  const daysBefore = Math.floor((153 * (fromMarch - 12 * year) + 2) / 5);
  return (
    365 * year +
    Math.floor(year / 4) -
    Math.floor(year / 100) +
    Math.floor(year / 400) +
    daysBefore -
    DAYS_TO_1970
  );
}
