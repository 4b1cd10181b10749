import { expect, it } from 'vitest';
import { adviceFor, adviceSentence, chanceOfFall, kindOf, MIN_SETTLED, waitLearner } from './book-or-wait.ts';

const SITUATION = { price: 100_000, median: 100_000, daysToDeparture: 50, daysUnchanged: 10 };

/** What is learnt from as many prices of £1,000 in 30 hotels; `savedBy` gives what waiting saved for each. */
function learnt(prices: number, savedBy: (nth: number) => number) {
  const learner = waitLearner();
  for (let nth = 0; nth < prices; nth += 1)
    learner.add({ kind: 'a', hotel: `H-${nth % 30}`, price: 100_000, saved: savedBy(nth) });
  return learner.records().a;
}

it('pools prices by median, lead and days without a change', () => {
  expect(kindOf(SITUATION)).toBe(
    kindOf({ ...SITUATION, price: 109_000, daysToDeparture: 89, daysUnchanged: 27 }),
  );
  const others = [
    { price: 90_000 },
    { price: 110_000 },
    { daysToDeparture: 29 },
    { daysToDeparture: 90 },
    { daysUnchanged: 6 },
  ];
  const kinds = others.map((other) => kindOf({ ...SITUATION, ...other }));
  expect(new Set([...kinds, kindOf(SITUATION)]).size).toBe(6);
});

it('says nothing before 300 prices are settled', () => {
  const before = learnt(MIN_SETTLED - 1, () => -5_000);
  expect([adviceFor(before), chanceOfFall(before), adviceSentence(before)]).toEqual([null, null, null]);
  expect(adviceFor(learnt(MIN_SETTLED, () => -5_000))).toBe('book');
  expect(adviceSentence(undefined)).toBeNull();
});

it('advises to book only if waiting has clearly cost', () => {
  const record = learnt(600, (nth) => (nth % 3 === 0 ? 1_000 : -3_000));
  expect(adviceFor(record)).toBe('book');
  expect(adviceSentence(record)).toBe('Book: waiting a week cost £17 on average, for 600 prices like this');
  expect(adviceFor(learnt(600, (nth) => (nth % 30 < 15 ? -9_000 : 8_900)))).toBeNull();
});

it('says that waiting has paid only above £10 and 1%, with how often, how much and the worst', () => {
  const record = learnt(600, (nth) => (nth % 5 === 0 ? -4_000 : 6_000));
  expect(adviceFor(record)).toBe('wait');
  expect(chanceOfFall(record)).toBe(0.8);
  expect(adviceSentence(record)).toBe(
    'Waiting a week has paid: 80% of 600 prices like this fell, for £40 saved on average. At worst, waiting cost £40',
  );
  expect(adviceFor(learnt(600, () => 1_000))).toBeNull();
  expect(adviceFor(learnt(600, () => 1_001))).toBe('wait');
});

it('does not take many prices of one hotel for evidence', () => {
  const learner = waitLearner();
  for (let nth = 0; nth < 1_000; nth += 1)
    learner.add({ kind: 'a', hotel: 'H-1', price: 100_000, saved: -5_000 });
  expect(adviceFor(learner.records().a)).toBeNull();
});
