import { expect, it } from 'vitest';
import { type Faults, simulateOverload } from '../fixtures/overload-simulation.ts';

/** Another number of seeds, and a single seed whose events are printed. */
const { SIMULATION_SEEDS = '10000', SIMULATION_SEED } = process.env;
const SEEDS = Number(SIMULATION_SEEDS);

const replayOf = (seed: number) =>
  `Replay it with: SIMULATION_SEED=${seed} npx vitest run tests/contract/overload-simulation.test.ts`;

/** How often each fault happens in a seed at least, on average. In ten thousand seeds it is 1.4 to 1.9 times as often. */
const LEAST_FAULTS: Readonly<Faults> = {
  deaths: 0.15,
  stuck: 0.04,
  ended: 0.04,
  slow: 0.35,
  hangUps: 0.2,
  gone: 0.2,
  retries: 0.2,
  blocks: 0.7,
  clockSteps: 0.7,
};

it.skipIf(SIMULATION_SEED !== undefined)(
  'answers every request exactly once and in time, whatever fails, with any seed',
  async () => {
    const totals: Record<string, number> = {};
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { broken, answered, refused, inFlood, faults } = await simulateOverload(seed);
      expect(broken, replayOf(seed)).toEqual([]);
      for (const [what, count] of Object.entries({ answered, refused, inFlood, ...faults }))
        totals[what] = (totals[what] ?? 0) + count;
    }
    // The seeds reach both sides, floods, and all faults.
    const least = { answered: 8, refused: 0.9, inFlood: 0.015, ...LEAST_FAULTS };
    const rare = Object.entries(least).filter(([what, share]) => (totals[what] ?? 0) <= share * SEEDS);
    expect(rare, `Of ${SEEDS} seeds: ${JSON.stringify(totals)}`).toEqual([]);
    // It is 0.89. If nothing waited, or not for long, it would be 0.82.
    const { answered = 0, refused = 0 } = totals;
    expect(answered / (answered + refused)).toBeGreaterThan(0.87);
  },
);

it('repeats a seed exactly, and nothing breaks in it', async () => {
  const seed = Number(SIMULATION_SEED ?? 7);
  const one = await simulateOverload(seed);
  if (SIMULATION_SEED !== undefined) process.stdout.write(`${[...one.trace, ...one.broken].join('\n')}\n`);
  expect(await simulateOverload(seed)).toEqual(one);
  expect(one.broken, replayOf(seed)).toEqual([]);
});
