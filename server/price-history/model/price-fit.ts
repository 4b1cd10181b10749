import {
  AGE_STEPS,
  ageLevels,
  type PricedPackage,
  TRAIT_PENALTIES,
  TRAITS,
  type Trait,
  traitLevels,
} from './price-traits.ts';
import { predictions, type SparseProblem, solveSparseRidge } from './sparse-ridge.ts';

export interface PricedExample {
  priced: PricedPackage;
  pricedDay: number;
  price: number;
}

/** Examples in order of days. Each level of each trait has a column. */
export interface PriceRows {
  examples: readonly PricedExample[];
  /** The columns of each example as of the day of its price; see `agedColumns`. */
  columns: Int32Array;
  penalties: Float64Array;
  levels: Record<Trait, ReadonlyMap<string, number>>;
  /** Logarithms of the price per fare, relative to `base`. */
  targets: Float64Array;
  base: number;
}

/** The age in days at which a price weighs half. */
const HALF_LIFE_DAYS = 14;

/** Errors larger than this many median absolute errors are cut, so that wrong prices do little harm. */
const CUT_OFF = 5;

const AGE_TRAIT = TRAITS.indexOf('age');
const PROVIDER_AGE_TRAIT = TRAITS.indexOf('providerAge');

export function priceRows(unsorted: readonly PricedExample[]): PriceRows {
  const examples = unsorted.toSorted((one, other) => one.pricedDay - other.pricedDay);
  const levels = Object.fromEntries(TRAITS.map((trait) => [trait, new Map<string, number>()])) as Record<
    Trait,
    Map<string, number>
  >;
  const columns = new Int32Array(examples.length * TRAITS.length);
  const penalties: number[] = [];
  const columnOf = (trait: Trait, level: string): number => {
    const known = levels[trait].get(level);
    if (known !== undefined) return known;
    const column = penalties.push(TRAIT_PENALTIES[trait]) - 1;
    levels[trait].set(level, column);
    return column;
  };
  for (const [row, { priced, pricedDay }] of examples.entries()) {
    for (const [index, level] of traitLevels(priced, pricedDay).entries()) {
      columns[row * TRAITS.length + index] = columnOf(TRAITS[index] ?? 'resort', level);
    }
  }
  for (const provider of new Set(examples.map(({ priced }) => priced.provider))) {
    for (const daysAgo of AGE_STEPS) {
      const { age, providerAge } = ageLevels(provider, daysAgo);
      columnOf('age', age);
      columnOf('providerAge', providerAge);
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

/** The rows of one day: from `from`, up to but not including `to`. */
export interface RowsOfDay {
  day: number;
  from: number;
  to: number;
}

/** The days with prices, oldest first. */
export function rowsByDay({ examples }: PriceRows): RowsOfDay[] {
  const rows = Map.groupBy(examples.keys(), (row) => examples[row]?.pricedDay ?? 0);
  return [...rows].map(([day, some]) => ({ day, from: some[0] ?? 0, to: (some.at(-1) ?? 0) + 1 }));
}

/**
 * Fits coefficients to the first `count` rows, which end with a whole day. Leaves out rows that are held out.
 * `start`, the result of a similar fit, saves iterations.
 */
export function fitRows(
  rows: PriceRows,
  count: number,
  { start, isHeldOut }: { start?: Float64Array | undefined; isHeldOut?: (row: number) => boolean } = {},
): Float64Array {
  const { examples, targets, penalties } = rows;
  const columns = agedColumns(rows, examples[count - 1]?.pricedDay ?? 0, 0, count);
  const problem: SparseProblem = {
    columns,
    perRow: TRAITS.length,
    size: penalties.length,
    penalties,
    weights: rowWeights(rows, count).map((weight, row) => (isHeldOut?.(row) ? 0 : weight)),
  };
  const known = targets.subarray(0, count);
  const first = start ?? solveSparseRidge(problem, known);
  return solveSparseRidge(problem, withoutOutliers(known, predictions(problem, first)), first);
}

/** The weights of the first `count` rows, as of their last day. */
function rowWeights({ examples }: PriceRows, count: number): Float64Array {
  const newest = examples[count - 1]?.pricedDay ?? 0;
  return Float64Array.from(
    { length: count },
    (_, row) => 0.5 ** ((newest - (examples[row]?.pricedDay ?? 0)) / HALF_LIFE_DAYS),
  );
}

/** The errors for the rows from `from`, up to but not including `to`. `newest` is the last day of the fit. */
export function fitErrors(
  rows: PriceRows,
  { fit, newest }: { fit: Float64Array; newest: number },
  from: number,
  to: number,
): Float64Array {
  const predicted = predictions({ columns: agedColumns(rows, newest, from, to), perRow: TRAITS.length }, fit);
  return predicted.map((estimate, index) => (rows.targets[from + index] ?? 0) - estimate);
}

/** The columns of rows, with the ages that their prices have on a day. Later prices count as that day's. */
function agedColumns(
  { examples, columns, levels }: PriceRows,
  day: number,
  from: number,
  to: number,
): Int32Array {
  const aged = columns.slice(from * TRAITS.length, to * TRAITS.length);
  for (const [index, { priced, pricedDay }] of examples.slice(from, to).entries()) {
    const { age, providerAge } = ageLevels(priced.provider, day - pricedDay);
    aged[index * TRAITS.length + AGE_TRAIT] = levels.age.get(age) ?? 0;
    aged[index * TRAITS.length + PROVIDER_AGE_TRAIT] = levels.providerAge.get(providerAge) ?? 0;
  }
  return aged;
}

/** Moves targets with extreme errors towards their predictions. */
function withoutOutliers(targets: Float64Array, predicted: Float64Array): Float64Array {
  const errors = targets.map((target, index) => target - (predicted[index] ?? 0));
  const limit = CUT_OFF * quantile(errors.map(Math.abs), 0.5);
  return errors.map((error, index) => (predicted[index] ?? 0) + Math.max(-limit, Math.min(limit, error)));
}

/** The number below which this share of the numbers lies; 0 if there are none. */
function quantile(values: Float64Array, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
