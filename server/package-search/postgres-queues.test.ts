import { expect, it } from 'vitest';
import { documentedLimit } from '../../tests/fixtures/documented-limit.ts';
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

it.each([
  [0, 'with PostgreSQL, small searches', SMALL, 40, 500, '5 seconds'],
  [1, 'with PostgreSQL, searches of up to 400 units, or of more than three days', QUICK, 4, 200, '5 seconds'],
  [2, 'with PostgreSQL, larger searches', WIDE, 2, 50, '15 seconds'],
])(
  'queue %d has the limits that the guide names: %s',
  async (nth, what, units, atOnce, mostWaiting, runs) => {
    const clock = virtualClock();
    const { queues, inTurn } = postgresQueues(clock);
    const queue = queues[nth];
    const fates: string[] = [];
    for (let visitor = 0; visitor < atOnce + mostWaiting + 1; visitor += 1) {
      const caller: SearchCaller = {
        ...INTERNAL_SEARCH,
        network: `visitor ${visitor}`,
        units,
        requestUnits: units,
      };
      inTurn(caller, false, () => new Promise(() => {})).catch((error: Error) => fates.push(error.name));
    }
    await clock.advance(0);
    expect(queue?.status()).toMatchObject({ running: atOnce, waiting: mostWaiting, refused: { full: 1 } });
    await clock.advance(1_999);
    expect(fates).toEqual(['Overloaded']);
    await clock.advance(1);
    expect(queue?.status()).toMatchObject({ running: atOnce, waiting: 0, refused: { late: mostWaiting } });
    const limit = documentedLimit(what);
    expect(limit).toMatch(
      new RegExp(`^${atOnce} at a time; ${mostWaiting} wait, (for 2 seconds|like the small)`),
    );
    expect(limit).toMatch(new RegExp(`; ${runs} to run$`));
  },
);
