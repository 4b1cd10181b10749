import type { DailyPrice } from '../../../domain/daily-prices.ts';
import { dropFeatures, droppedAfter } from './drop-features.ts';
import { chanceOf, fitChance } from './logistic-regression.ts';

/** A package's past, as the chance of a drop learns from it. */
export interface PastPrices {
  departureDay: number;
  daily: readonly DailyPrice[];
}

/** Chances that were given for later days, and what came of them. */
export interface CalibrationBin {
  from: number;
  to: number;
  predicted: number;
  happened: number;
  examples: number;
}

export interface DropModel {
  weights: number[];
  /** How often a drop came, whatever the features. */
  baseRate: number;
  bins: CalibrationBin[];
  /** How many examples the weights are from. */
  fitted: number;
}

/** A past moment, with what was known then and what came after. */
export interface DropExample {
  day: number;
  features: number[];
  happened: boolean;
}

const BINS = 5;

/** Fewer examples than this show no calibration. */
const LEAST_EXAMPLES = 200;

/** A bin is calibrated where chance and outcome are this near. */
const NEAR = 0.05;

/** The newest days, from which the calibration is taken and the weights are not. */
const HELD_OUT_SHARE = 0.3;

/**
 * Fits the chance on older days and calibrates it on newer ones, which have had time to show what came; the
 * week between them belongs to neither, since its outcomes lie in the newer days. Null for too little history.
 */
export function fitDropModel(examples: readonly DropExample[], outcomeDays: number): DropModel | null {
  const days = examples.map(({ day }) => day).toSorted((one, other) => one - other);
  const border = days[Math.floor(days.length * (1 - HELD_OUT_SHARE))];
  if (border === undefined) return null;
  const older = examples.filter(({ day }) => day < border - outcomeDays);
  const newer = examples.filter(({ day }) => day >= border);
  if (older.length < LEAST_EXAMPLES || newer.length < LEAST_EXAMPLES) return null;
  const weights = fitChance(older);
  return {
    weights,
    baseRate: share(examples),
    bins: calibrationBins(
      newer.map(({ features, happened }) => ({ chance: chanceOf(weights, features), happened })),
      BINS,
    ),
    fitted: older.length,
  };
}

/** Moments of a package's past, every `stride`-th day from its oldest on. */
export function dropExamples(past: PastPrices, stride: number): DropExample[] {
  const examples: DropExample[] = [];
  for (let end = past.daily.length; end > 0; end -= stride) {
    const known = past.daily.slice(0, end);
    const day = known.at(-1)?.day ?? 0;
    const features = dropFeatures(known, past.departureDay);
    const happened = droppedAfter(past.daily, day);
    if (features !== null && happened !== null) examples.push({ day, features, happened });
  }
  return examples;
}

/** The chance of a drop as of the last day of a history; null where history or calibration is wanting. */
export function dropChance(model: DropModel, past: PastPrices): number | null {
  const features = dropFeatures(past.daily, past.departureDay);
  if (features === null) return null;
  const chance = chanceOf(model.weights, features);
  const bin = model.bins.find(({ from, to }) => chance >= from && chance < to);
  if (bin === undefined || bin.examples < LEAST_EXAMPLES) return null;
  return Math.abs(bin.predicted - bin.happened) <= NEAR ? chance : null;
}

/** Bins of as many chances each, from the lowest to the highest, covering 0 to 1. */
export function calibrationBins(
  given: readonly { chance: number; happened: boolean }[],
  count: number,
): CalibrationBin[] {
  const sorted = given.toSorted((one, other) => one.chance - other.chance);
  const cuts = Array.from({ length: count + 1 }, (_, index) => Math.floor((sorted.length * index) / count));
  return cuts.slice(0, -1).map((start, index) => {
    const inside = sorted.slice(start, cuts[index + 1]);
    return {
      from: index === 0 ? 0 : (inside[0]?.chance ?? 1),
      to: index === count - 1 ? 1 + Number.EPSILON : (sorted[cuts[index + 1] ?? 0]?.chance ?? 1),
      predicted: inside.reduce((sum, { chance }) => sum + chance, 0) / inside.length,
      happened: share(inside),
      examples: inside.length,
    };
  });
}

function share(examples: readonly { happened: boolean }[]): number {
  return examples.filter(({ happened }) => happened).length / examples.length;
}
