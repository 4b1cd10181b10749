import { parseCalendarDate } from './calendar-date.ts';

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * An ISO 8601 date and time, or null when `text` is none. The day and the time stay as written, since a
 * flight's times are those of its airports' clocks; seconds are filled in, fractions dropped, and the offset,
 * where there is one, becomes `Z` or like `+01:00`.
 */
export function parseDateTime(text: string): string | null {
  const [, day = '', time = '', seconds = '00', offset = ''] = DATE_TIME.exec(text.trim()) ?? [];
  if (parseCalendarDate(day) === null) return null;
  const written = `${day}T${time}:${seconds}${offset.toUpperCase().replace(/(\d{2}):?(\d{2})$/, '$1:$2')}`;
  return Number.isNaN(zonedMs(written)) ? null : written;
}

/**
 * Milliseconds since the epoch of an ISO 8601 day, or date and time; null when `text` is neither. Without an
 * offset it is taken as UTC, never as the machine's own zone.
 */
export function dateTimeToMs(text: string): number | null {
  if (parseCalendarDate(text) !== null) return Date.parse(text);
  const written = parseDateTime(text);
  return written === null ? null : zonedMs(written);
}

/** An instant as ISO 8601 in UTC, or null when `text` is none. */
export function parseInstant(text: string): string | null {
  const ms = dateTimeToMs(text.trim());
  return ms === null ? null : new Date(ms).toISOString();
}

function zonedMs(written: string): number {
  return Date.parse(/(?:Z|[+-]\d{2}:\d{2})$/.test(written) ? written : `${written}Z`);
}
