import { fromDayNumber } from '../../domain/calendar-date.ts';
import { formatClock } from '../../domain/day-words.ts';
import { memoizeAll } from '../lib/memoize.ts';

const MINUTES_A_DAY = 24 * 60;

/**
 * When clocks go back, a local time may occur twice. Adding this to the minutes since midnight marks the second
 * occurrence. It is larger than the minutes of two days.
 */
export const SECOND_TIME = 4_096;

/** The minutes since midnight as clocks show them, without `SECOND_TIME`. */
export function shownMinute(minute: number): number {
  return minute >= SECOND_TIME ? minute - SECOND_TIME : minute;
}

/** Converts between local times and instants. Caches UTC offsets by time zone and day. */
export interface LocalTimes {
  /**
   * Converts a local day and minute in `timezone` to an instant, in minutes since 1970 UTC. A skipped time
   * uses the offset before the change.
   */
  toInstant(timezone: string, day: number, minute: number): number;
  /**
   * Converts an instant to local time in `timezone`, in minutes since 1970, and returns whether it is the
   * second occurrence.
   */
  toLocal(timezone: string, instant: number): { local: number; isSecond: boolean };
  /** ISO 8601 local time with its offset, such as 2027-05-01T06:30:00+01:00. */
  format(timezone: string, instant: number): string;
}

export function localTimes(): LocalTimes {
  const zoneOf = memoizeAll(offsetsOf);
  const [dateOf, clockOf] = [memoizeAll(fromDayNumber), memoizeAll(formatClock)];
  const offsetAt = (timezone: string, instant: number) => zoneOf(timezone)(instant);

  function toInstant(timezone: string, day: number, minute: number): number {
    const isSecond = minute >= SECOND_TIME;
    const local = day * MINUTES_A_DAY + shownMinute(minute);
    // No time zone changes its offset twice within two days.
    const before = offsetAt(timezone, local - MINUTES_A_DAY);
    const after = offsetAt(timezone, local + MINUTES_A_DAY);
    if (before === after) return local - before;
    const isShown = (offset: number) => offsetAt(timezone, local - offset) === offset;
    return local - ((isSecond ? [after, before] : [before, after]).find(isShown) ?? before);
  }

  return {
    toInstant,
    toLocal(timezone, instant) {
      const local = instant + offsetAt(timezone, instant);
      const day = Math.floor(local / MINUTES_A_DAY);
      return { local, isSecond: toInstant(timezone, day, local - day * MINUTES_A_DAY) !== instant };
    },
    format(timezone, instant) {
      const offset = offsetAt(timezone, instant);
      const local = instant + offset;
      const day = Math.floor(local / MINUTES_A_DAY);
      return `${dateOf(day)}T${clockOf(local - day * MINUTES_A_DAY)}:00${offset < 0 ? '-' : '+'}${clockOf(Math.abs(offset))}`;
    },
  };
}

/** The UTC offset of a time zone at an instant, in minutes. Cached for days without a clock change. */
function offsetsOf(timezone: string): (instant: number) => number {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeZoneName: 'longOffset' });
  const exactly = (instant: number): number => {
    const name = clock.formatToParts(instant * 60_000).find(({ type }) => type === 'timeZoneName')?.value;
    const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  };
  const ofDay = memoizeAll((day) => {
    const first = exactly(day * MINUTES_A_DAY);
    return first === exactly((day + 1) * MINUTES_A_DAY - 1) ? first : 'changes';
  });
  return (instant) => {
    const offset = ofDay(Math.floor(instant / MINUTES_A_DAY));
    return offset === 'changes' ? exactly(instant) : offset;
  };
}
