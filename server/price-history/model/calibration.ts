import type { RangedError } from './error-range.ts';
import { fitErrors, fitRows, type PriceRows, type RowsOfDay, rowsByDay } from './price-fit.ts';
import { quantile } from './quantile.ts';

/** The newest days of prices whose errors calibrate the range, and the fewest of them where days are missing. */
const CALIBRATION_DAYS = 7;
const MIN_CALIBRATION_DAYS = 3;

/** The age in days at which an error counts half as much as one of the newest day: sales come and go in the whole market. */
const HALF_LIFE_DAYS = 3;

/** Every n-th price is held out of a fit, in turns until there are so many errors. */
const HELD_OUT_EVERY = 20;
const MIN_HELD_OUT = 3_000;

/** Up to this mean number of days between days with prices, every day is forecast by the day before it. */
const DAILY = 1.5;

export interface Calibration {
  errors: RangedError[];
  /** A fit to all rows. */
  fit: Float64Array;
}

/** An error of a fit that did not know the row. */
interface UnknownError {
  row: number;
  error: number;
}

/**
 * Fits the rows, and finds the errors of prices that a fit did not know. Each of the newest days is forecast by a fit of
 * the days before it, as today is. Where prices are seen on some days only, such a forecast looks further ahead than that
 * of today; it counts for one day in so many, and prices that are held out of known days count for the others. They alone
 * count where nearly all prices are of the newest days.
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
  /** The mean number of days from one day with prices to the next. */
  gap: number;
  /** The last fit, which doesn't know the newest day. */
  fit: Float64Array;
}

/** Errors of days, each by a fit of the days before it. */
function forwardErrors(rows: PriceRows, days: readonly RowsOfDay[]): ForwardErrors {
  const errors: UnknownError[] = [];
  let gaps = 0;
  let fit: Float64Array | undefined;
  for (const day of days) {
    fit = fitRows(rows, day.from, { start: fit });
    const newest = rows.examples[day.from - 1]?.pricedDay ?? day.day;
    for (const [index, error] of withoutShift(fitErrors(rows, { fit, newest }, day.from, day.to)).entries()) {
      errors.push({ row: day.from + index, error });
    }
    gaps += day.day - newest;
  }
  return { errors, gap: gaps / days.length, fit: fit ?? new Float64Array() };
}

/** Errors of the rows from `from` on, each by a fit of the others. */
function heldOutErrors(rows: PriceRows, from: number, whole: Float64Array): UnknownError[] {
  const count = rows.examples.length;
  const newest = rows.examples[count - 1]?.pricedDay ?? 0;
  const turns = Math.min(HELD_OUT_EVERY, Math.ceil((MIN_HELD_OUT * HELD_OUT_EVERY) / (count - from)));
  return Array.from({ length: turns }, (_, turn) => {
    const isHeldOut = (row: number) => row >= from && row % HELD_OUT_EVERY === turn;
    const fit = fitRows(rows, count, { start: whole, isHeldOut });
    return Array.from(fitErrors(rows, { fit, newest }, 0, count), (error, row) => ({ row, error })).filter(
      ({ row }) => isHeldOut(row),
    );
  }).flat();
}

/** From this median error on, as a natural logarithm, a day has shifted the whole market. */
const SHIFT = 0.05;

/** Leaves a shift of the whole market out: the next training learns it. */
function withoutShift(errors: Float64Array): Float64Array {
  const middle = quantile(errors, 0.5);
  return Math.abs(middle) < SHIFT ? errors : errors.map((error) => error - middle);
}
