import type { RangedError } from './error-range.ts';
import { fitErrors, fitRows, type PriceRows, type RowsOfDay, rowsByDay } from './price-fit.ts';

/** Errors of the last `CALIBRATION_DAYS` calibrate the range, but of at least `MIN_CALIBRATION_DAYS` with prices. */
const CALIBRATION_DAYS = 7;
const MIN_CALIBRATION_DAYS = 3;

/** The age in days at which an error counts half. Short, because sales affect the whole market. */
const HALF_LIFE_DAYS = 3;

/** Each fit leaves out one price in 20. Fits are repeated until there are `MIN_HELD_OUT` errors. */
const HELD_OUT_EVERY = 20;
const MIN_HELD_OUT = 3_000;

/** If the mean gap between days with prices is at most this, calibration uses forecasts only. */
const DAILY = 1.5;

export interface Calibration {
  errors: RangedError[];
  fit: Float64Array;
}

/** The error for a row that the fit did not use. */
interface UnknownError {
  row: number;
  error: number;
}

/**
 * Fits all rows, and measures errors for prices that a fit did not use. Each of the newest days is forecast
 * from earlier days. If days are missing, forecasts count less, and prices left out of a fit make up the rest
 * (docs/price-analysis.md).
 */
export function calibrate(rows: PriceRows): Calibration {
  const count = rows.examples.length;
  const days = rowsByDay(rows);
  const newest = days.at(-1)?.day ?? 0;
  const recent = days.filter(
    ({ day }, index) => day > newest - CALIBRATION_DAYS || index >= days.length - MIN_CALIBRATION_DAYS,
  );
  const forecast = recent.filter(({ from }) => from >= count / 2);
  const isForward = count - (forecast[0]?.from ?? count) >= count / 10;
  const forward = isForward ? forwardErrors(rows, forecast) : null;
  const fit = fitRows(rows, count, { start: forward?.fit });
  const gap = forward?.gap ?? Number.POSITIVE_INFINITY;
  const heldOut = gap > DAILY ? heldOutErrors(rows, recent[0]?.from ?? 0, fit) : [];
  const forwardShare = heldOut.length === 0 ? 1 : 1 / gap;
  const ranged = (errors: readonly UnknownError[], share: number): RangedError[] =>
    errors.flatMap(({ row, error }) => {
      const example = rows.examples[row];
      if (example === undefined) return [];
      const recency = 0.5 ** ((newest - example.pricedDay) / HALF_LIFE_DAYS);
      return [{ ...example, error, weight: (share / errors.length) * recency }];
    });
  return {
    errors: [...ranged(forward?.errors ?? [], forwardShare), ...ranged(heldOut, 1 - forwardShare)],
    fit,
  };
}

interface ForwardErrors {
  errors: UnknownError[];
  /** The mean number of days between days with prices. */
  gap: number;
  /** The last fit, which does not use the newest day. */
  fit: Float64Array;
}

/** The errors for some days, each from a fit to the days before it. */
function forwardErrors(rows: PriceRows, days: readonly RowsOfDay[]): ForwardErrors {
  const errors: UnknownError[] = [];
  let gaps = 0;
  let fit: Float64Array | undefined;
  for (const day of days) {
    fit = fitRows(rows, day.from, { start: fit });
    const newest = rows.examples[day.from - 1]?.pricedDay ?? day.day;
    for (const [index, error] of fitErrors(rows, { fit, newest }, day.from, day.to).entries()) {
      errors.push({ row: day.from + index, error });
    }
    gaps += day.day - newest;
  }
  return { errors, gap: gaps / days.length, fit: fit ?? new Float64Array() };
}

/** The errors for the rows from `from` on, each from a fit without that row. */
function heldOutErrors(rows: PriceRows, from: number, whole: Float64Array): UnknownError[] {
  const count = rows.examples.length;
  const newest = rows.examples[count - 1]?.pricedDay ?? 0;
  const rounds = Math.min(HELD_OUT_EVERY, Math.ceil((MIN_HELD_OUT * HELD_OUT_EVERY) / (count - from)));
  return Array.from({ length: rounds }, (_, round) => {
    const isHeldOut = (row: number) => row >= from && row % HELD_OUT_EVERY === round;
    const fit = fitRows(rows, count, { start: whole, isHeldOut });
    return Array.from(fitErrors(rows, { fit, newest }, 0, count), (error, row) => ({ row, error })).filter(
      ({ row }) => isHeldOut(row),
    );
  }).flat();
}
