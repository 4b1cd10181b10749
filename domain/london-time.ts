import { type CalendarDate, dayNumber, todayInLondon } from './calendar-date.ts';

const MS_A_MINUTE = 60_000;
const MS_AN_HOUR = 3_600_000;

/** One for each hour. Two years have fewer hours. */
const MAX_CACHED_OFFSETS = 20_000;

const CLOCK = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

const offsets = new Map<number, number>();

/** The day and the minutes after midnight in London at an instant (ms since 1970 UTC). */
export function londonClock(epochMs: number): { day: CalendarDate; minute: number } {
  const local = epochMs + offsetAt(epochMs);
  return {
    day: new Date(local).toISOString().slice(0, 10),
    minute: Math.floor((local % (24 * MS_AN_HOUR)) / MS_A_MINUTE),
  };
}

/** London's day, in days since 1970-01-01, at an instant in minutes since 1970 UTC. */
export function londonDay(minute: number): number {
  const epochMs = minute * MS_A_MINUTE;
  return Math.floor((epochMs + offsetAt(epochMs)) / (24 * MS_AN_HOUR));
}

/**
 * The instant (ms since 1970 UTC) when London's clocks show `minute` after midnight on `day`. If the clocks
 * skip that time, it is an hour later; if they show it twice, the second instant.
 */
export function londonInstant(day: CalendarDate, minute: number): number {
  const local = dayNumber(day) * 24 * MS_AN_HOUR + minute * MS_A_MINUTE;
  return local - offsetAt(local - offsetAt(local));
}

/** How far London is ahead of UTC. Cached by hour, because clocks change on the hour. */
function offsetAt(epochMs: number): number {
  const hour = Math.floor(epochMs / MS_AN_HOUR);
  const known = offsets.get(hour);
  if (known !== undefined) return known;
  const start = hour * MS_AN_HOUR;
  const [hours = 0, minutes = 0] = CLOCK.format(start).split(':').map(Number);
  const local = (dayNumber(todayInLondon(start)) * 24 + hours) * MS_AN_HOUR + minutes * MS_A_MINUTE;
  if (offsets.size >= MAX_CACHED_OFFSETS) offsets.clear();
  offsets.set(hour, local - start);
  return local - start;
}
