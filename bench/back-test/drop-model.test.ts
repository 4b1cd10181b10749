import { describe, expect, it } from 'vitest';
import { dropFeatures, droppedAfter, fitDropModel } from './drop-model.ts';

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

  it('is unknown until the week has ended', () => {
    expect(droppedAfter(history([100_000, 50_000]), 1_000)).toBeNull();
  });
});

it('needs two weeks of history, and finite features for any price', () => {
  expect(dropFeatures({ departureDay: 1_300, daily: history(flat(13)) })).toBeNull();
  const absurd = { departureDay: 1_300, daily: history([...flat(20), 1, 33_554_431]) };
  expect(dropFeatures(absurd)?.every(Number.isFinite)).toBe(true);
});

it('predicts a higher chance after a high price, if drops follow only high prices', () => {
  const prices = Array.from({ length: 90 }, (_, day) => (day % 10 < 5 ? 110_000 : 100_000));
  const chanceOf = fitDropModel(
    Array.from({ length: 60 }, (_, nth) => ({ departureDay: 1_200, daily: history(prices.slice(nth % 9)) })),
  );
  const chance = (last: number) =>
    chanceOf({ departureDay: 1_200, daily: history([...prices.slice(0, 80), last]) }) ?? Number.NaN;
  expect(chance(110_000)).toBeGreaterThan(0.5);
  expect(chance(100_000)).toBeLessThan(chance(110_000));
});
