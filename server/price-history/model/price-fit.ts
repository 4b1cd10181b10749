import { type DayEffect, dayForecasts } from './day-effects.ts';
import { type PricedPackage, TRAIT_PENALTIES, TRAITS, type Trait, traitLevels } from './price-traits.ts';
import { quantile } from './quantile.ts';
import { predictions, type SparseProblem, solveSparseRidge } from './sparse-ridge.ts';

/** An observed price and the package that it was for. */
export interface PricedExample {
  priced: PricedPackage;
  pricedDay: number;
  price: number;
}

/** Examples in the order of their days, with one column for each level of each trait. */
export interface PriceRows {
  examples: readonly PricedExample[];
  /** The column of each trait of each example. */
  columns: Int32Array;
  penalties: Float64Array;
  levels: Record<Trait, ReadonlyMap<string, number>>;
  /** Logarithms of the price per fare, relative to `base`. */
  targets: Float64Array;
  base: number;
}

/** The age in days at which a price weighs half as much as one of the newest day. */
const HALF_LIFE_DAYS = 14;

/** Errors beyond this many median absolute errors are cut off: slipped prices must not matter. */
const CUT_OFF = 5;

/** A provider is forecast from its own days if one of the last so many has prices. */
const RECENT_DAYS = 3;

const DAY_TRAIT = TRAITS.indexOf('pricedDay');
const PROVIDER_DAY_TRAIT = TRAITS.indexOf('providerDay');

export function priceRows(unsorted: readonly PricedExample[]): PriceRows {
  const examples = unsorted.toSorted((one, other) => one.pricedDay - other.pricedDay);
  const levels = Object.fromEntries(TRAITS.map((trait) => [trait, new Map<string, number>()])) as Record<
    Trait,
    Map<string, number>
  >;
  const columns = new Int32Array(examples.length * TRAITS.length);
  const penalties: number[] = [];
  for (const [row, { priced, pricedDay }] of examples.entries()) {
    for (const [index, level] of traitLevels(priced, pricedDay).entries()) {
      const trait = TRAITS[index] ?? 'resort';
      let column = levels[trait].get(level);
      if (column === undefined) {
        column = penalties.push(TRAIT_PENALTIES[trait]) - 1;
        levels[trait].set(level, column);
      }
      columns[row * TRAITS.length + index] = column;
    }
  }
  const logs = Float64Array.from(examples, ({ price, priced }) => Math.log(price / priced.fares));
  const base = quantile(logs, 0.5);
  return {
    examples,
    columns,
    penalties: Float64Array.from(penalties),
    levels,
    targets: logs.map((log) => log - base),
    base,
  };
}

/** The rows of a day with prices: from `from` up to, and without, `to`. */
export interface RowsOfDay {
  day: number;
  from: number;
  to: number;
}

/** The days with prices, oldest first. */
export function rowsByDay({ examples }: PriceRows): RowsOfDay[] {
  const days: RowsOfDay[] = [];
  for (const [row, { pricedDay }] of examples.entries()) {
    const last = days.at(-1);
    if (last?.day === pricedDay) last.to = row + 1;
    else days.push({ day: pricedDay, from: row, to: row + 1 });
  }
  return days;
}

/**
 * Coefficients of the first `count` rows, which end with a whole day, without the rows that are held out. `start` is a fit
 * to about the same rows: from it, a day more takes a few iterations.
 */
export function fitRows(
  rows: PriceRows,
  count: number,
  { start, isHeldOut }: { start?: Float64Array | undefined; isHeldOut?: (row: number) => boolean } = {},
): Float64Array {
  const { targets, columns, penalties } = rows;
  const problem: SparseProblem = {
    columns: columns.subarray(0, count * TRAITS.length),
    perRow: TRAITS.length,
    size: penalties.length,
    penalties,
    weights: rowWeights(rows, count).map((weight, row) => (isHeldOut?.(row) ? 0 : weight)),
  };
  const known = targets.subarray(0, count);
  const first = start ?? solveSparseRidge(problem, known);
  return solveSparseRidge(problem, withoutOutliers(known, predictions(problem, first)), first);
}

/** The weights of the first `count` rows, as seen on their last day. */
function rowWeights({ examples }: PriceRows, count: number): Float64Array {
  const newest = examples[count - 1]?.pricedDay ?? 0;
  return Float64Array.from(
    { length: count },
    (_, row) => 0.5 ** ((newest - (examples[row]?.pricedDay ?? 0)) / HALF_LIFE_DAYS),
  );
}

/** The fit's estimates of the targets of the rows from `from` up to, and without, `to`. */
export function predictedTargets(
  { columns }: PriceRows,
  fit: Float64Array,
  from: number,
  to: number,
): Float64Array {
  return predictions(
    { columns: columns.subarray(from * TRAITS.length, to * TRAITS.length), perRow: TRAITS.length },
    fit,
  );
}

/** The errors of the rows of a day by a fit to the first `count` rows, and that fit with forecasts of the day. */
export function forecastErrors(
  rows: PriceRows,
  { fit, count }: { fit: Float64Array; count: number },
  { day, from, to }: RowsOfDay,
): { errors: Float64Array; fit: Float64Array } {
  const withForecasts = Float64Array.from(fit);
  const ahead = day - (rows.examples[count - 1]?.pricedDay ?? day);
  for (const [provider, forecasts] of Object.entries(forecastsOf(rows, fit, count))) {
    const column =
      provider === ''
        ? rows.levels.pricedDay.get(`${day}`)
        : rows.levels.providerDay.get(`${provider}/${day}`);
    if (column !== undefined) withForecasts[column] = forecasts[Math.min(forecasts.length, ahead) - 1] ?? 0;
  }
  const predicted = predictedTargets(rows, withForecasts, from, to);
  return {
    errors: predicted.map((estimate, index) => (rows.targets[from + index] ?? 0) - estimate),
    fit: withForecasts,
  };
}

/**
 * What the days after the first `count` rows add: of the whole market under '', and what each provider adds to that under
 * its id. A provider without prices of the last days adds nothing.
 */
export function forecastsOf(rows: PriceRows, fit: Float64Array, count: number): Record<string, number[]> {
  const market = new Map<number, DayEffect>();
  const providers = new Map<number, Map<number, DayEffect>>();
  const newest = rows.examples[count - 1]?.pricedDay ?? 0;
  for (let row = 0; row < count; row += 1) {
    const example = rows.examples[row];
    if (example === undefined) continue;
    const { pricedDay: day, priced } = example;
    const at = row * TRAITS.length;
    const shared = fit[rows.columns[at + DAY_TRAIT] ?? 0] ?? 0;
    const own = fit[rows.columns[at + PROVIDER_DAY_TRAIT] ?? 0] ?? 0;
    addPrice(market, day, shared);
    const series = providers.get(priced.provider) ?? new Map<number, DayEffect>();
    providers.set(priced.provider, series);
    addPrice(series, day, shared + own);
  }
  const ofMarket = dayForecasts(market, newest);
  const forecasts: Record<string, number[]> = { '': ofMarket };
  for (const [provider, series] of providers) {
    if (Math.max(...series.keys()) <= newest - RECENT_DAYS) continue;
    forecasts[provider] = dayForecasts(series, newest).map(
      (effect, index) => effect - (ofMarket[index] ?? 0),
    );
  }
  return forecasts;
}

function addPrice(series: Map<number, DayEffect>, day: number, effect: number): void {
  const known = series.get(day);
  if (known === undefined) series.set(day, { effect, prices: 1 });
  else known.prices += 1;
}

/** The targets, moved towards their predictions where the error is absurd. */
function withoutOutliers(targets: Float64Array, predicted: Float64Array): Float64Array {
  const errors = targets.map((target, index) => target - (predicted[index] ?? 0));
  const limit = CUT_OFF * quantile(errors.map(Math.abs), 0.5);
  return errors.map((error, index) => (predicted[index] ?? 0) + Math.max(-limit, Math.min(limit, error)));
}
