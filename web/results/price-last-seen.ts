import { formatBriefDay, formatClock } from '../../domain/day-words.ts';
import { londonClock } from '../../domain/london-time.ts';

/** 'Price seen 3 May, 14:05' in London time from an ISO 8601 instant; null if it is not one. */
export function priceLastSeen(instant: string | null): string | null {
  const ms = instant === null ? Number.NaN : Date.parse(instant);
  if (Number.isNaN(ms)) return null;
  const { day, minute } = londonClock(ms);
  return `Price seen ${formatBriefDay(day)}, ${formatClock(minute)}`;
}
