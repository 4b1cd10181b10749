/** A ridge regression whose features are 0 or 1. Rows list the columns that are 1. */
export interface SparseProblem {
  /** The columns of all rows, `perRow` for each. */
  columns: Int32Array;
  perRow: number;
  /** The number of columns. */
  size: number;
  /** Each column's L2 penalty, above 0. */
  penalties: Float64Array;
  /** Each row's weight, above 0. */
  weights: Float64Array;
}

const MAX_ITERATIONS = 80;

/** Iteration ends when the squared residual, relative to that without coefficients, is below this. */
const TOLERANCE = 1e-8;

/**
 * Solves a ridge regression by conjugate gradients with a diagonal preconditioner. Memory and time grow
 * linearly, so each hotel can have a coefficient. `start` is a first guess, which stays unchanged.
 */
export function solveSparseRidge(
  problem: SparseProblem,
  targets: Float64Array,
  start: Float64Array = new Float64Array(problem.size),
): Float64Array {
  const { columns, perRow, penalties, size, weights } = problem;
  const diagonal = Float64Array.from(penalties);
  for (const [at, column] of columns.entries()) {
    diagonal[column] = (diagonal[column] ?? 0) + (weights[Math.floor(at / perRow)] ?? 1);
  }
  const target = transposed(problem, targets);
  const unsolved = target.reduce((sum, one, at) => sum + one ** 2 / (diagonal[at] ?? 1), 0);
  const solution = Float64Array.from(start);
  const residual = transposed(problem, minus(targets, predictions(problem, solution)));
  for (let at = 0; at < size; at += 1) {
    residual[at] = (residual[at] ?? 0) - (penalties[at] ?? 0) * (solution[at] ?? 0);
  }
  const scaled = new Float64Array(size);
  const direction = new Float64Array(size);
  let strength = 0;
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration += 1) {
    let next = 0;
    for (let at = 0; at < size; at += 1) {
      scaled[at] = (residual[at] ?? 0) / (diagonal[at] ?? 1);
      next += (residual[at] ?? 0) * (scaled[at] ?? 0);
    }
    if (next <= unsolved * TOLERANCE) break;
    const keep = iteration === 0 ? 0 : next / strength;
    for (let at = 0; at < size; at += 1) direction[at] = (scaled[at] ?? 0) + keep * (direction[at] ?? 0);
    strength = next;
    const image = transposed(problem, predictions(problem, direction));
    let curvature = 0;
    for (let at = 0; at < size; at += 1) {
      image[at] = (image[at] ?? 0) + (penalties[at] ?? 0) * (direction[at] ?? 0);
      curvature += (image[at] ?? 0) * (direction[at] ?? 0);
    }
    const step = next / curvature;
    for (let at = 0; at < size; at += 1) {
      solution[at] = (solution[at] ?? 0) + step * (direction[at] ?? 0);
      residual[at] = (residual[at] ?? 0) - step * (image[at] ?? 0);
    }
  }
  return solution;
}

/** Each row's sum of its coefficients. */
export function predictions(
  { columns, perRow }: Pick<SparseProblem, 'columns' | 'perRow'>,
  coefficients: Float64Array,
): Float64Array {
  const sums = new Float64Array(columns.length / perRow);
  for (let row = 0; row < sums.length; row += 1) {
    let sum = 0;
    const end = (row + 1) * perRow;
    for (let at = row * perRow; at < end; at += 1) sum += coefficients[columns[at] ?? 0] ?? 0;
    sums[row] = sum;
  }
  return sums;
}

/** Each column's sum of values times weights over the rows. */
function transposed({ columns, perRow, size, weights }: SparseProblem, values: Float64Array): Float64Array {
  const sums = new Float64Array(size);
  for (let row = 0; row < values.length; row += 1) {
    const value = (values[row] ?? 0) * (weights[row] ?? 1);
    const end = (row + 1) * perRow;
    for (let at = row * perRow; at < end; at += 1) {
      const column = columns[at] ?? 0;
      sums[column] = (sums[column] ?? 0) + value;
    }
  }
  return sums;
}

function minus(one: Float64Array, other: Float64Array): Float64Array {
  return one.map((value, index) => value - (other[index] ?? 0));
}
