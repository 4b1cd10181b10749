import { expect, it } from 'vitest';
import { simulateOverload } from '../fixtures/overload-simulation.ts';

/** Another number of seeds, and a single seed whose events are printed. */
const { SIMULATION_SEEDS = '10000', SIMULATION_SEED } = process.env;

it('answers every request exactly once and in time, whatever fails, with any seed', async () => {
  const totals = { answered: 0, refused: 0, inFlood: 0 };
  for (let seed = 1; seed <= Number(SIMULATION_SEEDS); seed += 1) {
    const { broken, answered, refused, inFlood } = await simulateOverload(seed);
    expect(broken, `Replay it with SIMULATION_SEED=${seed}`).toEqual([]);
    totals.answered += answered;
    totals.refused += refused;
    totals.inFlood += inFlood;
  }
  // The seeds reach both sides, and floods.
  expect(totals.answered).toBeGreaterThan(Number(SIMULATION_SEEDS));
  expect(totals.refused).toBeGreaterThan(Number(SIMULATION_SEEDS) / 10);
  expect(totals.inFlood).toBeGreaterThan(Number(SIMULATION_SEEDS) / 100);
});

it('repeats a seed exactly', async () => {
  const seed = Number(SIMULATION_SEED ?? 7);
  const one = await simulateOverload(seed);
  if (SIMULATION_SEED !== undefined) process.stdout.write(`${[...one.trace, ...one.broken].join('\n')}\n`);
  expect(await simulateOverload(seed)).toEqual(one);
});
