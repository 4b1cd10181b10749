import * as v from 'valibot';
import type { Read, Variables } from './read-environment.ts';
import { defineSettings, setting } from './schema.ts';

const EXPECTED = 'an instant such as 2027-06-01T22:30:00+01:00, or an offset such as +3h, -45m or +2d';

/** Milliseconds per unit. */
const UNITS: Readonly<Record<string, number>> = { ms: 1, m: 60_000, h: 3_600_000, d: 86_400_000 };

const CLOCK = defineSettings({
  offsetMs: setting(
    'CLOCK',
    v.pipe(
      v.optional(v.string(), '+0m'),
      v.transform(readOffset),
      v.check((offset) => offset !== undefined, EXPECTED),
      v.transform((offset) => offset ?? 0),
    ),
  ),
  mode: setting('NODE_ENV', v.optional(v.string())),
});

export const CLOCK_VARIABLES = CLOCK.variables;

/**
 * Reads `CLOCK` as the milliseconds to add to the machine's clock. If `CLOCK` is an instant, the clock shows
 * it at the time of this call. In production, setting `CLOCK` is an error.
 */
export function readClockOffset(variables: Variables): Read<number> {
  const read = CLOCK.read(variables);
  if (read.kind === 'refused') return read;
  if (variables.CLOCK && read.value.mode === 'production') {
    return {
      kind: 'refused',
      message: 'CLOCK cannot be set in production: alerts would be sent at the wrong time.',
    };
  }
  return { kind: 'read', value: read.value.offsetMs };
}

/** Parses `CLOCK`; undefined if it is neither an offset nor an instant. */
function readOffset(text: string): number | undefined {
  const [, sign, count, unit = ''] = /^([+-])(\d{1,15})(ms|m|h|d)$/.exec(text) ?? [];
  if (count !== undefined) return (sign === '-' ? -1 : 1) * Number(count) * (UNITS[unit] ?? 0);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant - Date.now();
}

let offset: number | null = null;

/** The alerts' time: the machine's clock plus `CLOCK`, in milliseconds. Throws if `CLOCK` is invalid. */
export function alertClock(): number {
  offset ??= settledOffset();
  return Date.now() + offset;
}

/**
 * Replaces an instant in the environment by an offset, because worker threads copy the environment when they
 * start, and all must use the same time.
 */
function settledOffset(): number {
  const read = readClockOffset(process.env);
  if (read.kind === 'refused') throw new Error(read.message);
  if (process.env.CLOCK) process.env.CLOCK = `${read.value < 0 ? '-' : '+'}${Math.abs(read.value)}ms`;
  return read.value;
}
