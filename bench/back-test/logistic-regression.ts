import { solveByCholesky } from './cholesky.ts';

/** The L2 penalty, which keeps weights small if the examples give little evidence. */
const RIDGE_PENALTY = 1;

const MAX_ITERATIONS = 12;

/** The predicted probability of an event with these features. */
export function predictProbability(weights: readonly number[], features: readonly number[]): number {
  const sum = features.reduce((total, feature, index) => total + feature * (weights[index] ?? 0), 0);
  return 1 / (1 + Math.exp(-sum));
}

/**
 * Fits the weights by Newton's method. All examples have the same number of features; the first is always 1.
 */
export function fitLogisticRegression(
  examples: readonly { features: readonly number[]; happened: boolean }[],
): number[] {
  const size = examples[0]?.features.length ?? 0;
  let weights: number[] = Array.from({ length: size }, () => 0);
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration += 1) {
    const hessian = new Float64Array(size * size);
    const gradient = Float64Array.from(weights, (weight) => -RIDGE_PENALTY * weight);
    for (const { features, happened } of examples) {
      const probability = predictProbability(weights, features);
      const variance = Math.max(probability * (1 - probability), 1e-9);
      for (const [row, feature] of features.entries()) {
        gradient[row] = (gradient[row] ?? 0) + feature * ((happened ? 1 : 0) - probability);
        for (let column = 0; column <= row; column += 1) {
          const at = row * size + column;
          hessian[at] = (hessian[at] ?? 0) + feature * (features[column] ?? 0) * variance;
        }
      }
    }
    for (let row = 0; row < size; row += 1) {
      hessian[row * size + row] = (hessian[row * size + row] ?? 0) + RIDGE_PENALTY;
    }
    const step = solveByCholesky(hessian, gradient);
    weights = weights.map((weight, index) => weight + (step[index] ?? 0));
    if (step.every((part) => Math.abs(part) < 1e-7)) break;
  }
  return weights;
}
