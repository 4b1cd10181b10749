import { daysBetween } from './calendar-date.ts';
import type { FlightLeg } from './package-holiday.ts';

/** '22:10 to 01:30 +1 day' in local times, '22:10' if only the departure is known; null without a time. */
export function legTimes({ DepartureDateTime, ArrivalDateTime }: FlightLeg): string | null {
  const [departs, arrives] = [DepartureDateTime, ArrivalDateTime].map((time) => time.slice(11, 16));
  if (!departs) return null;
  if (!arrives) return departs;
  const days = daysBetween(DepartureDateTime.slice(0, 10), ArrivalDateTime.slice(0, 10));
  return `${departs} to ${arrives}${days === 0 ? '' : ` ${dayChange(days)}`}`;
}

function dayChange(days: number): string {
  const count = Math.abs(days);
  return `${days > 0 ? '+' : '−'}${count} ${count === 1 ? 'day' : 'days'}`;
}

/** '1 bag included'; null if the provider does not say. */
export function bagWords(bags: number | null): string | null {
  if (bags === null) return null;
  if (bags === 0) return 'Hand luggage only';
  return `${bags} ${bags === 1 ? 'bag' : 'bags'} included`;
}
