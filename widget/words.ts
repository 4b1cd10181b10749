import { formatWholePounds, poundsToPence } from '../domain/money.ts';

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const YEAR_TOO = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const INSTANT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'Europe/London',
});

/** '£1,235'. */
export function pounds(amount: number): string {
  return formatWholePounds(poundsToPence(amount));
}

/** 'Being 3 stars takes £252 off.' `amount` is what the reason adds to the expected price of an average holiday. */
export function reasonWords({ label, amount }: { label: string; amount: number }): string {
  const by = Math.round(amount);
  if (by === 0) return `${label} makes no difference.`;
  return by < 0 ? `${label} takes ${pounds(-by)} off.` : `${label} adds ${pounds(by)}.`;
}

/** '1 day', '30 days'. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** '24 Oct' from YYYY-MM-DD. */
export function shortDay(day: string): string {
  return DAY.format(Date.parse(day));
}

/** '24 October 2026' from YYYY-MM-DD. */
export function longDay(day: string): string {
  return YEAR_TOO.format(Date.parse(day));
}

/** '24 October 2026 at 14:05' in London from an ISO 8601 instant. */
export function instant(iso: string): string {
  return INSTANT.format(Date.parse(iso));
}
