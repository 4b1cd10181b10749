import { expect, it, vi } from 'vitest';
import { documentedLimit } from '../../tests/fixtures/documented-limit.ts';
import { ONE_DAY_QUERY as ONE_DAY } from '../../tests/fixtures/one-day-query.ts';
import { LONGEST_IN_FLOOD_MS } from '../lib/caller.ts';
import { workerProxy } from '../lib/worker-rpc.ts';
import { embeddedStore } from '../storage/store-address.ts';
import { INTERNAL_SEARCH } from './search-caller.ts';
import { isForThread, wideSearchWorkers } from './wide-search.ts';

vi.mock('../lib/worker-rpc.ts', { spy: true });

it.each([
  ['a day of one place', [ONE_DAY], {}, false],
  ['a day of one place for a network that is held back', [ONE_DAY], { isHeldBack: true }, true],
  ['a day of one place in a large request', [ONE_DAY], { requestUnits: 101 }, true],
  ['four days', [{ ...ONE_DAY, lastDay: 20_003 }], {}, true],
  ['nothing for a network that is held back', [], { isHeldBack: true }, false],
])('the main thread leaves to others what is too much for it: %s', (_what, queries, caller, isLeft) => {
  expect(isForThread(queries, { ...INTERNAL_SEARCH, ...caller })).toBe(isLeft);
});

it('the threads of searches have the limits that the guide names', async () => {
  const { stop } = wideSearchWorkers(embeddedStore('unopened'));
  const [quick, wide] = vi.mocked(workerProxy).mock.calls.map(([, , , settings]) => settings);
  await stop();
  expect(quick).toMatchObject({
    name: 'quick searches',
    concurrency: 1,
    maxWaiting: 200,
    maxWaitMs: 2_000,
    maxStandingWaitMs: 650,
    maxRunMs: 5_000,
  });
  expect(wide).toEqual({ ...quick, name: 'wide searches', maxWaiting: 50 });
  expect(LONGEST_IN_FLOOD_MS).toBe(850);
  expect(documentedLimit('a search of up to 400 units: a thread')).toBe(
    '200 wait, for 2 seconds at most, or 0.85 in a flood, where whoever is expected to wait over 0.65 is refused at once; 5 seconds to run',
  );
  expect(documentedLimit('a larger search: another thread')).toBe('50 wait, as above; 5 seconds to run');
});
