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

/**
 * The effect of a trait on an expected price: '£351 less than the £1,214 expected if this were average'. `amount` is what
 * the trait adds to the expected price. Everything is in whole pounds, so that the sum adds up as shown.
 */
export function reasonWords(expected: number, amount: number): string {
  const [to, by] = [Math.round(expected), Math.round(amount)];
  if (by === 0) return 'no more and no less than if this were average';
  return `${pounds(Math.abs(by))} ${by < 0 ? 'less' : 'more'} than the ${pounds(to - by)} expected if this were average`;
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

/** '28%'; never 0% or 100%, because nothing is certain. */
export function chance(share: number): string {
  return `${Math.min(99, Math.max(1, Math.round(share * 100)))}%`;
}
