import { describe, expect, it } from 'vitest';
import { dropFeatures, droppedAfter } from './drop-features.ts';
import {
  calibrationBins,
  type DropModel,
  dropExamples,
  dropProbability,
  fitDropModel,
} from './drop-model.ts';
import { fitLogisticRegression, predictProbability } from './logistic-regression.ts';

const history = (prices: readonly number[], from = 1_000) =>
  prices.map((price, index) => ({ day: from + index, price }));
const flat = (days: number) => Array.from({ length: days }, () => 100_000);

describe('a price drop', () => {
  it.each([
    ['by exactly 5% on the seventh day', [...flat(7), 95_000], true],
    ['by a penny less', [...flat(7), 95_001], false],
    ['on the eighth day', [...flat(8), 50_000], false],
    ['and rose again', [100_000, 90_000, ...flat(6)], true],
  ])('%s', (_, prices, dropped) => {
    expect(droppedAfter(history(prices), 1_000)).toBe(dropped);
  });

  it('is unknown until the week is over', () => {
    expect(droppedAfter(history([100_000, 50_000]), 1_000)).toBeNull();
  });
});

describe('the features', () => {
  it('need two weeks of history, and are finite for any price', () => {
    expect(dropFeatures(history(flat(13)), 1_300)).toBeNull();
    expect(dropFeatures(history([...flat(20), 1, 33_554_431]), 1_300)?.every(Number.isFinite)).toBe(true);
  });

  it('do not depend on later prices', () => {
    const examples = dropExamples(
      { departureDay: 1_400, daily: history([...flat(40), ...flat(10).map(() => 1)]) },
      1,
    );
    for (const { day, features } of examples) {
      const until = history(flat(day - 1_000 + 1));
      if (day < 1_040) expect(features).toEqual(dropFeatures(until, 1_400));
    }
    expect(examples.some(({ day, happened }) => day < 1_040 && happened)).toBe(true);
  });
});

describe('the drop model', () => {
  /** Only high prices are followed by a drop. */
  const examples = Array.from({ length: 4_000 }, (_, index) => {
    const high = index % 5 === 0;
    const happened = high && index % 3 !== 0;
    const wait = { saved: happened ? 0.06 : -0.02, possible: happened ? 0.08 : 0 };
    return { day: index % 90, features: [1, high ? 1 : 0], happened, wait };
  });

  it('predicts a high probability only after a high price', () => {
    const weights = fitLogisticRegression(examples);
    expect(predictProbability(weights, [1, 1])).toBeCloseTo(2 / 3, 1);
    expect(predictProbability(weights, [1, 0])).toBeLessThan(0.02);
  });

  it('is fitted to older days than it is calibrated on, with a gap of a week', () => {
    const model = fitDropModel(
      examples.map((one) => ({ ...one, happened: one.day >= 62 })),
      7,
    );
    expect(model?.bins.every(({ predicted }) => predicted < 0.05)).toBe(true);
    expect(model?.bins.every(({ happened }) => happened > 0.9)).toBe(true);
  });

  it('measures what waiting saved of what hindsight would have', () => {
    // Two of three waits save 6% of a possible 8%, the third loses 2%.
    expect(fitDropModel(examples, 7)?.savedShare).toBeCloseTo(0.65, 0.8);
    const worthless = examples.map((one) => ({ ...one, wait: { saved: -0.01, possible: 0.05 } }));
    expect(fitDropModel(worthless, 7)?.savedShare).toBe(0);
  });

  it('is null for too few examples', () => {
    expect(fitDropModel(examples.slice(0, 300), 7)).toBeNull();
    expect(fitDropModel([], 7)).toBeNull();
  });

  it('gives a probability only in a calibrated bin, for departures after the week', () => {
    const bin = { from: 0, to: 1.1, predicted: 0.2, happened: 0.22, examples: 500 };
    const model: DropModel = { weights: [0], baseRate: 0.2, bins: [bin], fitted: 1_000, savedShare: 0.35 };
    const past = { departureDay: 1_300, daily: history(flat(30)) };
    expect(dropProbability(model, past)).toBe(0.5);
    expect(dropProbability({ ...model, bins: [{ ...bin, happened: 0.3 }] }, past)).toBeNull();
    expect(dropProbability({ ...model, bins: [{ ...bin, examples: 199 }] }, past)).toBeNull();
    expect(dropProbability({ ...model, savedShare: 0.34 }, past)).toBeNull();
    expect(dropProbability(model, { ...past, daily: history(flat(5)) })).toBeNull();
    expect(dropProbability(model, { ...past, departureDay: 1_029 + 8 })).toBe(0.5);
    expect(dropProbability(model, { ...past, departureDay: 1_029 + 7 })).toBeNull();
  });

  it('has exactly one bin for every probability', () => {
    const bins = calibrationBins(
      Array.from({ length: 100 }, (_, index) => ({ chance: index / 100, happened: index > 50 })),
      5,
    );
    for (const chance of [0, 0.001, 0.2, 0.5, 0.999, 1]) {
      expect(bins.filter(({ from, to }) => chance >= from && chance < to)).toHaveLength(1);
    }
    expect(bins.reduce((sum, bin) => sum + bin.examples, 0)).toBe(100);
  });
});
