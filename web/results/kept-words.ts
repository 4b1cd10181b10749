import { formatClock, formatPlainDate } from '../../domain/day-words.ts';
import { londonClock } from '../../domain/london-time.ts';

const AGES = new Intl.RelativeTimeFormat('en-GB');
const MINUTE_MS = 60_000;

/** 'as of 14:05, 3 hours ago', in London time. Adds the date if it is not today's. */
export function keptWords(keptAt: number, now: number): string {
  const { day, minute } = londonClock(keptAt);
  const time = formatClock(minute);
  const when = day === londonClock(now).day ? time : `${formatPlainDate(day)}, ${time}`;
  const minutes = Math.max(0, Math.floor((now - keptAt) / MINUTE_MS));
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (minutes === 0) return `as of ${when}, just now`;
  const [count, unit] =
    days > 0
      ? ([days, 'day'] as const)
      : hours > 0
        ? ([hours, 'hour'] as const)
        : ([minutes, 'minute'] as const);
  return `as of ${when}, ${AGES.format(-count, unit)}`;
}
