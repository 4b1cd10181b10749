import { expect, it } from 'vitest';
import type { RecordLine } from './record-file.ts';
import { scorer } from './scores.ts';

const LINE: RecordLine = {
  drawn: '2026-12-01',
  package: 'SUN:H-1:LGW:2027-06-01:7:HB:DBL:2-0-0',
  price: 100_000,
  charges: 2_000,
  verdict: null,
  low: null,
  high: null,
  expected: null,
  fall: null,
  advice: null,
  model: null,
  median: null,
  unchanged: 0,
  after: 7,
  outcome: 'seen',
  later: 100_000,
  lowest: 100_000,
};

const soldOut = { outcome: 'sold-out', later: null, lowest: null } as const;

function scoresOf(lines: readonly Partial<RecordLine>[]) {
  const scored = scorer();
  for (const line of lines) scored.add({ ...LINE, ...line });
  const scores = scored.scores();
  return (name: string) => scores.find((score) => score.name === name);
}

it('counts a tie as a loss, for our calls and for the rule', () => {
  const score = scoresOf([
    { verdict: 'low', median: 150_000, later: 100_001 },
    { verdict: 'low', median: 150_000 },
    { verdict: 'low', median: 102_000, later: 99_000 },
    { verdict: 'high', median: 50_000, later: 99_999 },
    { verdict: 'high', median: 50_000 },
    { verdict: 'low', ...soldOut },
  ]);
  expect(score('low-7')).toMatchObject({ lines: 3, sum: 1, value: 0.3333 });
  expect(score('low-rule-7')).toMatchObject({ lines: 2, sum: 1, value: 0.5 });
  expect(score('low-margin-7')).toMatchObject({ value: -0.1667 });
  expect(score('high-7')).toMatchObject({ lines: 2, sum: 1, value: 0.5 });
  expect(score('sold-out-7')).toMatchObject({ lines: 6, sum: 1 });
  expect(score('low-14')).toMatchObject({ lines: 0, value: null });
});

it('adds the charges at the hotel before it looks whether the band held', () => {
  const band = { low: 90_000, high: 102_000 };
  const score = scoresOf([
    band,
    { ...band, later: 100_001 },
    { ...band, ...soldOut },
    { ...band, after: 14 },
  ]);
  expect(score('coverage-7')).toMatchObject({ lines: 2, sum: 1, value: 0.5 });
  expect(score('coverage-14')).toMatchObject({ lines: 1, sum: 1 });
});

it('scores the chance of a fall, and waiting against booking at once', () => {
  const score = scoresOf([
    { fall: 0.8, advice: 'wait', later: 95_000 },
    { fall: 0.4, advice: 'wait', ...soldOut },
    { fall: 0.1, advice: 'book', later: 90_000 },
    { fall: 0.5, advice: 'wait', outcome: 'not-seen', later: null },
  ]);
  expect(score('brier-7')).toMatchObject({
    lines: 3,
    value: Math.round((10_000 * (0.04 + 0.16 + 0.81)) / 3) / 10_000,
  });
  expect(score('followed-7')).toMatchObject({ lines: 2, sum: 5_000 - 10_200, value: -2_600 });
});

it('resamples whole hotels, so that a hundred prices of one hotel are no more certain than one', () => {
  const hotel = (nth: number) => `SUN:H-${nth}:LGW:2027-06-01:7:HB:DBL:2-0-0`;
  const band = { low: 0, high: 102_000 };
  const line = (nth: number, isHeld: boolean) => ({
    ...band,
    package: hotel(nth),
    later: isHeld ? 90_000 : 110_000,
  });
  const few = Array.from({ length: 4 }, (_, nth) => line(nth, nth % 2 === 0));
  const many = few.flatMap((one) => Array<typeof one>(100).fill(one));
  const [one, hundred] = [scoresOf(few)('coverage-7'), scoresOf(many)('coverage-7')];
  expect(hundred).toEqual({ ...one, lines: 400, sum: 200 });
  expect(one?.low).toBe(0);
  expect(one?.high).toBe(1);
});
