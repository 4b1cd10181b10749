import { formatClock, formatPlainDate } from '../domain/day-words.ts';
import { londonClock } from '../domain/london-time.ts';
import { formatWholePounds, poundsToPence } from '../domain/money.ts';

export function pounds(amount: number): string {
  return formatWholePounds(poundsToPence(amount));
}

/** Describes a reason: 'Being 3 stars takes £252 off.' `amount` is what the reason adds to an average price. */
export function reasonWords({ label, amount }: { label: string; amount: number }): string {
  const by = Math.round(amount);
  if (by === 0) return `${label} makes no difference.`;
  return by < 0 ? `${label} takes ${pounds(-by)} off.` : `${label} adds ${pounds(by)}.`;
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** An ISO 8601 instant in London's time: '24 October 2026 at 14:05'. */
export function instant(iso: string): string {
  const { day, minute } = londonClock(Date.parse(iso));
  return `${formatPlainDate(day)} at ${formatClock(minute)}`;
}
