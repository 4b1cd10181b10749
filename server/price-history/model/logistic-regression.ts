import { solveLinearSystem } from './cholesky.ts';

/** Holds weights back where examples say little. */
const RIDGE = 1;

const ROUNDS = 12;

/** The chance that weights give to an event with these features. */
export function chanceOf(weights: readonly number[], features: readonly number[]): number {
  const sum = features.reduce((total, feature, index) => total + feature * (weights[index] ?? 0), 0);
  return 1 / (1 + Math.exp(-sum));
}

/** Weights by Newton's method; every example has the same number of features, the first of them a constant 1. */
export function fitChance(examples: readonly { features: readonly number[]; happened: boolean }[]): number[] {
  const size = examples[0]?.features.length ?? 0;
  let weights: number[] = Array.from({ length: size }, () => 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    const curvature = new Float64Array(size * size);
    const slope = Float64Array.from(weights, (weight) => -RIDGE * weight);
    for (const { features, happened } of examples) {
      const chance = chanceOf(weights, features);
      const spread = Math.max(chance * (1 - chance), 1e-9);
      for (const [row, feature] of features.entries()) {
        slope[row] = (slope[row] ?? 0) + feature * ((happened ? 1 : 0) - chance);
        for (let column = 0; column <= row; column += 1) {
          const at = row * size + column;
          curvature[at] = (curvature[at] ?? 0) + feature * (features[column] ?? 0) * spread;
        }
      }
    }
    for (let row = 0; row < size; row += 1) {
      curvature[row * size + row] = (curvature[row * size + row] ?? 0) + RIDGE;
    }
    const step = solveLinearSystem(curvature, slope);
    weights = weights.map((weight, index) => weight + (step[index] ?? 0));
    if (step.every((part) => Math.abs(part) < 1e-7)) break;
  }
  return weights;
}
