import { addDays } from './calendar-date.ts';
import { londonClock, londonInstant } from './london-time.ts';

/** Hours without alerts, in minutes after midnight in London. They span midnight. Null: no quiet hours. */
export type QuietHours = { from: number; until: number } | null;

/** A WhatsApp message that asks for confirmation waits only during these hours. */
export const CONFIRMATION_QUIET_HOURS: QuietHours = { from: 23 * 60, until: 7 * 60 };

/** Minutes after midnight as people write them: '9pm', '7.30am'. */
export function clockTime(minutes: number): string {
  const hour = Math.floor(minutes / 60);
  const rest = minutes % 60 === 0 ? '' : `.${String(minutes % 60).padStart(2, '0')}`;
  return `${hour % 12 === 0 ? 12 : hour % 12}${rest}${hour < 12 ? 'am' : 'pm'}`;
}

/** The default, 21:00 to 08:00. */
export const QUIET_HOURS: QuietHours = { from: 21 * 60, until: 8 * 60 };

/**
 * The first instant from `now` at which a contact may get an alert: outside quiet hours, and not on the
 * London day of the last alert. Instants are ms since 1970 UTC.
 */
export function earliestAlert(now: number, lastAlertAt: number | null, quiet: QuietHours): number {
  const today = londonClock(now);
  const hadAlertToday = lastAlertAt !== null && londonClock(lastAlertAt).day >= today.day;
  if (hadAlertToday) {
    const next = addDays(londonClock(lastAlertAt).day, 1);
    return londonInstant(next, quiet?.until ?? 0);
  }
  if (quiet === null) return now;
  if (today.minute < quiet.until) return londonInstant(today.day, quiet.until);
  if (today.minute >= quiet.from) return londonInstant(addDays(today.day, 1), quiet.until);
  return now;
}
