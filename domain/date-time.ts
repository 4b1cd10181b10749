import { dayNumberAtStart, parseCalendarDate, twoDigits } from './calendar-date.ts';

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

const MS_A_SECOND = 1_000;
const MS_A_MINUTE = 60_000;
const MS_A_DAY = 86_400_000;
const MINUTES_AN_HOUR = 60;

/** The lengths of `2027-05-01T06:30:00`, without an offset, with `Z` and with `+01:00`. */
const LOCAL_LENGTH = 19;
const UTC_LENGTH = 20;
const OFFSET_LENGTH = 25;

/**
 * The canonical form of an ISO 8601 date and time, or null. Keeps the local day and time, adds seconds, drops
 * fractions, and writes an offset as `Z` or `+01:00`.
 */
export function parseDateTime(text: string): string | null {
  if (parseCanonicalMs(text) !== null) return text;
  const [, day = '', time = '', seconds = '00', offset = ''] = DATE_TIME.exec(text.trim()) ?? [];
  if (parseCalendarDate(day) === null) return null;
  const written = `${day}T${time}:${seconds}${offset.toUpperCase().replace(/(\d{2}):?(\d{2})$/, '$1:$2')}`;
  return Number.isNaN(parseZonedMs(written)) ? null : written;
}

/** Converts an ISO 8601 day, with a time or without, to ms since the epoch; null if invalid. No offset: UTC. */
export function dateTimeToMs(text: string): number | null {
  const ms = parseCanonicalMs(text);
  if (ms !== null) return ms;
  if (parseCalendarDate(text) !== null) return Date.parse(text);
  const written = parseDateTime(text);
  return written === null ? null : parseZonedMs(written);
}

/** An instant as ISO 8601 in UTC, or null if `text` is not one. */
export function parseInstant(text: string): string | null {
  const ms = dateTimeToMs(text.trim());
  return ms === null ? null : new Date(ms).toISOString();
}

/** The offset from UTC in minutes of a canonical date and time; null if the text has no offset. */
export function offsetMinutes(written: string): number | null {
  if (written.length === LOCAL_LENGTH) return null;
  if (written.length === UTC_LENGTH) return 0;
  const size = twoDigits(written, 20) * MINUTES_AN_HOUR + twoDigits(written, 23);
  return written[LOCAL_LENGTH] === '-' ? -size : size;
}

/**
 * Converts a date and time in canonical form to milliseconds since the epoch; null if invalid. Uses plain
 * arithmetic, because a feed import calls it several times per row.
 */
function parseCanonicalMs(text: string): number | null {
  const { length } = text;
  if (length !== LOCAL_LENGTH && length !== UTC_LENGTH && length !== OFFSET_LENGTH) return null;
  const day = dayNumberAtStart(text);
  if (day === null || text[10] !== 'T' || text[13] !== ':' || text[16] !== ':') return null;
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  // NaN fails every comparison.
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return null;
  const local = day * MS_A_DAY + (hour * MINUTES_AN_HOUR + minute) * MS_A_MINUTE + second * MS_A_SECOND;
  if (length === LOCAL_LENGTH) return local;
  const sign = text[LOCAL_LENGTH];
  if (length === UTC_LENGTH) return sign === 'Z' ? local : null;
  if ((sign !== '+' && sign !== '-') || text[22] !== ':') return null;
  if (!(twoDigits(text, 20) <= 23 && twoDigits(text, 23) <= 59)) return null;
  return local - (offsetMinutes(text) ?? 0) * MS_A_MINUTE;
}

function parseZonedMs(written: string): number {
  return Date.parse(/(?:Z|[+-]\d{2}:\d{2})$/.test(written) ? written : `${written}Z`);
}
