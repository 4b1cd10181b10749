import { expect, it } from 'vitest';
import { virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { postgresQueues } from './postgres-queues.ts';
import { INTERNAL_SEARCH, type SearchCaller } from './search-caller.ts';

const SMALL = 50;
const QUICK = 200;
const WIDE = 1_000;

function searches() {
  const clock = virtualClock();
  const { inTurn } = postgresQueues(clock);
  const atWork: string[] = [];
  /** The units of searches that were charged to their network's time. */
  const charged: number[] = [];
  const ask = (network: string, units: number, isLong: boolean) => {
    const caller: SearchCaller = {
      ...INTERNAL_SEARCH,
      network,
      units,
      requestUnits: units,
      inThread(cost, search) {
        charged.push(cost);
        return search({ network, signal: null });
      },
    };
    return inTurn(caller, isLong, async () => {
      const name = `${network} ${units}`;
      atWork.push(name);
      await new Promise<void>((resolve) => void clock.after(100, resolve));
      atWork.splice(atWork.indexOf(name), 1);
    });
  };
  return { clock, atWork, charged, ask };
}

it.each([
  ['quick', QUICK],
  ['wide', WIDE],
])('a network has one %s search at work beside others, of whatever size theirs are', async (_size, units) => {
  const { clock, atWork, ask } = searches();
  const all = [ask('other', SMALL, false)];
  for (let nth = 0; nth < 3; nth += 1) all.push(ask('one', units, true));
  expect(atWork).toEqual([`other ${SMALL}`, `one ${units}`]);
  await clock.advance(400);
  await Promise.all(all);
});

it('a network that is alone has several at work', async () => {
  const { clock, atWork, ask } = searches();
  const all = Array.from({ length: 3 }, () => ask('one', QUICK, true));
  expect(atWork).toHaveLength(3);
  await clock.advance(100);
  await Promise.all(all);
});

it('what has a connection of its own takes from the time of its network, however small it is', async () => {
  const { clock, charged, ask } = searches();
  const all = [ask('one', SMALL, false), ask('two', QUICK, true), ask('three', SMALL, true)];
  expect(charged).toEqual([QUICK, SMALL]);
  await clock.advance(200);
  await Promise.all(all);
});

it.each([
  ['small', SMALL, 5_000],
  ['quick', QUICK, 5_000],
  ['wide', WIDE, 15_000],
])('a %s search is given up after its time', async (_size, units, ms) => {
  const clock = virtualClock();
  const { inTurn } = postgresQueues(clock);
  const caller = { ...INTERNAL_SEARCH, units, requestUnits: units };
  let failure: unknown = null;
  inTurn(caller, units > SMALL, () => new Promise(() => {})).catch((error: unknown) => {
    failure = error;
  });
  await clock.advance(ms - 1);
  expect(failure).toBeNull();
  await clock.advance(1);
  expect(failure).toMatchObject({ name: 'Overloaded' });
});
