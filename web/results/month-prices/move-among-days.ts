import { addDays, type CalendarDate } from '../../../domain/calendar-date.ts';

const DAYS_OF_KEY: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
};

/**
 * The day among `days` that a key moves to; null for other keys. Arrows move by at least a day or a week, or to the last
 * day in that direction; Home and End move to the first and the last.
 */
export function moveAmongDays(
  days: readonly CalendarDate[],
  from: CalendarDate,
  key: string,
): CalendarDate | null {
  if (key === 'Home') return days[0] ?? null;
  if (key === 'End') return days.at(-1) ?? null;
  const distance = DAYS_OF_KEY[key];
  if (distance === undefined) return null;
  const target = addDays(from, distance);
  const found =
    distance > 0
      ? (days.find((day) => day >= target) ?? days.at(-1))
      : (days.filter((day) => day <= target).at(-1) ?? days[0]);
  return found ?? null;
}
