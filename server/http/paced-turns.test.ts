import { expect, it } from 'vitest';
import { virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { tally } from '../lib/tally.ts';
import { pacedTurns } from './paced-turns.ts';

it('lets those of a network go one after the other, and each after the least time', async () => {
  const clock = virtualClock();
  const turns = pacedTurns(clock, { everyMs: 10, leastMs: 800 });
  const went: [string, number][] = [];
  const begun = clock.now();
  for (const name of ['a', 'b', 'c']) turns.wait('one', () => went.push([name, clock.now() - begun]));
  turns.wait('other', () => went.push(['d', clock.now() - begun]));
  await clock.advance(799);
  expect(went).toEqual([]);
  await clock.advance(101);
  expect(Object.fromEntries(went)).toEqual({ a: 800, d: 800, b: 810, c: 820 });
  turns.wait('one', () => went.push(['e', clock.now() - begun]));
  await clock.advance(800);
  expect(went.at(-1)).toEqual(['e', 1_700]);
});

it('gives the turns of those who are gone to those behind them', async () => {
  const clock = virtualClock();
  const turns = pacedTurns(clock, { everyMs: 10, leastMs: 0 });
  const went: number[] = [];
  const given = Array.from({ length: 1_000 }, (_, nth) => turns.wait('one', () => went.push(nth)));
  for (const giveUp of given) giveUp();
  turns.wait('one', () => went.push(1_000));
  await clock.advance(20);
  expect(went).toEqual([1_000]);
});

it('counts those that wait by their networks, until they go or give up', async () => {
  const clock = virtualClock();
  const waiting = tally();
  const turns = pacedTurns(clock, { everyMs: 10, leastMs: 800 }, waiting);
  const giveUp = turns.wait('one', () => {});
  for (const network of ['one', 'one', 'other']) turns.wait(network, () => {});
  giveUp();
  giveUp();
  expect([...waiting]).toEqual([
    ['one', 2],
    ['other', 1],
  ]);
  await clock.advance(800);
  expect([...waiting]).toEqual([['one', 1]]);
  await clock.advance(10);
  expect([...waiting]).toEqual([]);
});

it('says how long the next request of a network would wait', async () => {
  const clock = virtualClock();
  const turns = pacedTurns(clock, { everyMs: 10, leastMs: 0 });
  expect(turns.waitOf('one')).toBe(0);
  const giveUp = turns.wait('one', () => {});
  turns.wait('one', () => {});
  expect([turns.waitOf('one'), turns.waitOf('other')]).toEqual([20, 0]);
  giveUp();
  expect(turns.waitOf('one')).toBe(10);
  await clock.advance(0);
  expect(turns.waitOf('one')).toBe(10);
  await clock.advance(4);
  expect(turns.waitOf('one')).toBe(6);
  await clock.advance(6);
  expect(turns.waitOf('one')).toBe(0);
  expect(pacedTurns(clock, { everyMs: 10, leastMs: 800 }).waitOf('one')).toBe(800);
});
