import type { DailyPrice } from '../../../domain/daily-prices.ts';
import { DROP_DAYS, dropFeatures, droppedAfter, waitingSaves } from './drop-features.ts';
import { fitLogisticRegression, predictProbability } from './logistic-regression.ts';

/** A package's price history. */
export interface PastPrices {
  departureDay: number;
  daily: readonly DailyPrice[];
}

/** Predicted probabilities from `from` to `to`, and how often the event happened. */
export interface CalibrationBin {
  from: number;
  to: number;
  predicted: number;
  happened: number;
  examples: number;
}

export interface DropModel {
  weights: number[];
  /** The share of all examples that were followed by a drop. */
  baseRate: number;
  bins: CalibrationBin[];
  /** The number of examples that the weights were fitted to. */
  fitted: number;
  /**
   * Of what hindsight would have saved on the newer examples, the share that waiting saves from the chance on that saved
   * most on the older ones.
   */
  savedShare: number;
}

/** A past day, with the features known on it and the outcome. */
export interface DropExample {
  day: number;
  features: number[];
  happened: boolean;
  /** What waiting saves, and what hindsight would have saved, as shares of the price. */
  wait: { saved: number; possible: number };
}

const BIN_COUNT = 5;

/** A chance is told only if acting on such chances saved at least this share of what hindsight would have. */
export const MIN_SAVED_SHARE = 0.35;

/** Fewer examples than this cannot be calibrated. */
const MIN_EXAMPLES = 200;

/** The largest difference between prediction and outcome in a calibrated bin. */
const CALIBRATION_TOLERANCE = 0.05;

/** The share of the newest examples, used for calibration only. */
const HELD_OUT_SHARE = 0.3;

/**
 * Fits the model on older days and calibrates it on newer ones. The `outcomeDays` between them are left out, because
 * their outcomes overlap the newer days. Null if there is too little history.
 */
export function fitDropModel(examples: readonly DropExample[], outcomeDays: number): DropModel | null {
  const days = examples.map(({ day }) => day).toSorted((one, other) => one - other);
  const cutoff = days[Math.floor(days.length * (1 - HELD_OUT_SHARE))];
  if (cutoff === undefined) return null;
  const older = examples.filter(({ day }) => day < cutoff - outcomeDays);
  const newer = examples.filter(({ day }) => day >= cutoff);
  if (older.length < MIN_EXAMPLES || newer.length < MIN_EXAMPLES) return null;
  const weights = fitLogisticRegression(older);
  const chanceOf = ({ features }: DropExample) => predictProbability(weights, features);
  return {
    weights,
    savedShare: savedShare(newer, chanceOf, bestThreshold(older, chanceOf)),
    baseRate: shareHappened(examples),
    bins: calibrationBins(
      newer.map(({ features, happened }) => ({ chance: predictProbability(weights, features), happened })),
      BIN_COUNT,
    ),
    fitted: older.length,
  };
}

/** The examples of a package's history: every `stride`-th day, counted back from the last. */
export function dropExamples(past: PastPrices, stride: number): DropExample[] {
  const examples: DropExample[] = [];
  for (let end = past.daily.length; end > 0; end -= stride) {
    const known = past.daily.slice(0, end);
    const day = known.at(-1)?.day ?? 0;
    const features = dropFeatures(known, past.departureDay);
    const happened = droppedAfter(past.daily, day);
    if (features === null || happened === null) continue;
    examples.push({ day, features, happened, wait: waitingSaves(past.daily, day) });
  }
  return examples;
}

/**
 * The probability of a drop in the week after the last day of a history; null without enough history or calibration, if
 * acting on it would not save enough, and for a departure before the week is over.
 */
export function dropProbability(model: DropModel, past: PastPrices): number | null {
  const features = dropFeatures(past.daily, past.departureDay);
  const latest = past.daily.at(-1);
  if (features === null || latest === undefined || past.departureDay - latest.day <= DROP_DAYS) return null;
  const chance = predictProbability(model.weights, features);
  const bin = model.bins.find(({ from, to }) => chance >= from && chance < to);
  if (bin === undefined || bin.examples < MIN_EXAMPLES || model.savedShare < MIN_SAVED_SHARE) return null;
  return Math.abs(bin.predicted - bin.happened) <= CALIBRATION_TOLERANCE ? chance : null;
}

/** Splits predictions into bins of equal size, in ascending order, that cover 0 to 1. */
export function calibrationBins(
  predictions: readonly { chance: number; happened: boolean }[],
  count: number,
): CalibrationBin[] {
  const sorted = predictions.toSorted((one, other) => one.chance - other.chance);
  const cuts = Array.from({ length: count + 1 }, (_, index) => Math.floor((sorted.length * index) / count));
  return cuts.slice(0, -1).map((start, index) => {
    const inside = sorted.slice(start, cuts[index + 1]);
    return {
      from: index === 0 ? 0 : (inside[0]?.chance ?? 1),
      to: index === count - 1 ? 1 + Number.EPSILON : (sorted[cuts[index + 1] ?? 0]?.chance ?? 1),
      predicted: inside.reduce((sum, { chance }) => sum + chance, 0) / inside.length,
      happened: shareHappened(inside),
      examples: inside.length,
    };
  });
}

/** The chance from which on waiting saved most; more than 1 if waiting never paid. */
export function bestThreshold<T extends { wait: DropExample['wait'] }>(
  examples: readonly T[],
  chanceOf: (one: T) => number,
): number {
  const sorted = examples
    .map((one) => ({ chance: chanceOf(one), saved: one.wait.saved }))
    .toSorted((one, other) => other.chance - one.chance);
  let best = { threshold: 2, saved: 0 };
  let saved = 0;
  for (const [index, one] of sorted.entries()) {
    saved += one.saved;
    if (saved > best.saved && sorted[index + 1]?.chance !== one.chance)
      best = { threshold: one.chance, saved };
  }
  return best.threshold;
}

/** The share of what hindsight would have saved that waiting from a chance on saves. */
export function savedShare<T extends { wait: DropExample['wait'] }>(
  examples: readonly T[],
  chanceOf: (one: T) => number,
  threshold: number,
): number {
  let [saved, possible] = [0, 0];
  for (const one of examples) {
    possible += one.wait.possible;
    if (chanceOf(one) >= threshold) saved += one.wait.saved;
  }
  return possible === 0 ? 0 : saved / possible;
}

function shareHappened(examples: readonly { happened: boolean }[]): number {
  return examples.filter(({ happened }) => happened).length / examples.length;
}
