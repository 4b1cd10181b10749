import { beforeEach, expect, it } from 'vitest';
import { type VirtualClock, virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { processLoop } from '../lib/work-queue/turns.ts';
import { type EnteringKind, type Entrance, entrance } from './entrance.ts';

let clock: VirtualClock;
/** What is due in the next pass, when its work began, and what is due in callbacks of their own. */
let passes: (() => void)[];
let workedSince: number | undefined;
let callbacks: (() => void)[];
let entering: Entrance;
/** Who has begun. */
let begun: string[];

beforeEach(() => {
  clock = virtualClock();
  passes = [];
  callbacks = [];
  begun = [];
  entering = entrance({
    now: clock.now,
    nextPass(task, since) {
      passes.push(task);
      workedSince = since;
    },
    nextCallback: (task) => void callbacks.push(task),
  });
});

const enter = (name: string, ms: number, { kind = 'other' as EnteringKind, network = name } = {}) =>
  entering.enter({ kind, network }, () => {
    begun.push(name);
    clock.block(ms);
  });

function runAll(tasks: (() => void)[]): void {
  for (const task of tasks.splice(0)) task();
}

/** One pass of the loop. Returns who has begun in it. */
function pass(): string[] {
  const before = begun.length;
  runAll(passes);
  runAll(callbacks);
  return begun.slice(before);
}

const names = (count: number, prefix: string) => Array.from({ length: count }, (_, nth) => `${prefix}${nth}`);

const isBusy = () => passes.length > 0 || callbacks.length > 0;

it('begins at once what comes alone, also after long work in the pass before', () => {
  for (const name of names(5, 'n')) {
    expect(enter(name, 30)).toBeNull();
    expect(begun.at(-1)).toBe(name);
    expect(pass()).toEqual([]);
  }
  expect(isBusy()).toBe(false);
});

it('lets the rest of a long pass wait, and works for a few milliseconds on it in each of the next', () => {
  for (const name of names(100, 'n')) enter(name, 1);
  expect(begun).toHaveLength(3);
  const counts: number[] = [];
  while (isBusy()) counts.push(pass().length);
  expect(begun).toEqual(names(100, 'n'));
  expect(counts.slice(1, 6)).toEqual([10, 10, 10, 10, 10]);
});

it('works on what waits for as long as all else took meanwhile, up to a bound', () => {
  for (const name of names(300, 'n')) enter(name, 1);
  pass();
  clock.block(15);
  expect(pass()).toHaveLength(15);
  clock.block(500);
  expect(pass()).toHaveLength(20);
});

it.each([
  [1, 3],
  [2, 6],
  [7, 20],
])('works for a shorter time in a pass where few networks wait: %i', (networks, ms) => {
  enter('first', 50);
  for (const name of names(300, 'n')) enter(name, 1, { network: `${Number(name.slice(1)) % networks}` });
  clock.block(50);
  expect(pass()).toHaveLength(ms);
  expect(pass()).toHaveLength(Math.min(ms, 10));
});

it('begins so many in one pass, however little they take', () => {
  enter('first', 4);
  for (const name of names(1_000, 'n')) enter(name, 0);
  expect(pass()).toHaveLength(256);
  expect(pass()).toHaveLength(256);
});

it('begins each in a callback of its own, and lets nobody pass those that wait', () => {
  enter('first', 4);
  enter('second', 1);
  enter('third', 1);
  runAll(passes);
  const [one, two] = callbacks;
  one?.();
  expect(begun).toEqual(['first', 'second']);
  enter('fourth', 1);
  two?.();
  expect(begun).toEqual(['first', 'second', 'third']);
});

it('does not let urgent requests and searches wait for a pass that is not very long', () => {
  enter('first', 20);
  for (const name of names(50, 'page')) enter(name, 1);
  expect(enter('health', 1, { kind: 'urgent' })).toBeNull();
  expect(enter('search', 30, { kind: 'search' })).toBeNull();
  expect(enter('second health', 1, { kind: 'urgent' })).not.toBeNull();
  expect(enter('second search', 1, { kind: 'search' })).not.toBeNull();
});

it('begins one search of a network in each pass, and lets nobody else wait for the others', () => {
  const search = (name: string, network: string) => enter(name, 1, { kind: 'search', network });
  for (const name of names(3, 'loop')) search(name, 'one');
  search('visitor', 'another');
  expect(begun).toEqual(['loop0', 'visitor']);
  expect(pass()).toEqual(['loop1']);
  search('loop3', 'one');
  search('next visitor', 'a third');
  expect(begun.slice(3)).toEqual(['next visitor']);
  expect(pass()).toEqual(['loop2']);
  expect(pass()).toEqual(['loop3']);
  expect(isBusy()).toBe(true);
  pass();
  expect(isBusy()).toBe(false);
});

it('begins searches that have waited for long, however many are of one network', () => {
  const search = (name: string) => enter(name, 1, { kind: 'search', network: 'one' });
  for (const name of names(100, 'early')) search(name);
  clock.block(200);
  for (const name of names(10, 'late')) search(name);
  expect(pass()).toEqual(['early1']);
  clock.block(50);
  expect(pass()).toEqual(names(100, 'early').slice(2));
  expect(pass()).toEqual(['late0']);
});

it('begins all searches in the next pass, and gives the rest as much time as those took', () => {
  for (const name of names(100, 'page')) enter(name, 0.5);
  enter('long search', 50, { kind: 'search' });
  for (const name of names(30, 'search')) enter(name, 1, { kind: 'search' });
  const ofNext = pass();
  expect(ofNext.slice(0, 30)).toEqual(names(30, 'search'));
  expect(ofNext).toHaveLength(30 + 40);
});

it('lets urgent requests take turns with others, and networks within each', () => {
  enter('first', 50);
  for (const name of names(50, 'page')) enter(name, 1, { network: 'flood' });
  enter('visitor', 1);
  for (const name of names(50, 'health')) enter(name, 1, { kind: 'urgent' });
  expect(pass().slice(0, 5)).toEqual(['health0', 'page0', 'health1', 'visitor', 'health2']);
});

it('says when its work began, for connections to be let in for as long', () => {
  enter('first', 4);
  expect(workedSince).toBeUndefined();
  for (const name of names(30, 'page')) enter(name, 1);
  const from = clock.now();
  pass();
  expect({ workedSince, worked: clock.now() - from }).toEqual({ workedSince: from, worked: 10 });
});

it('forgets those who give up', () => {
  enter('first', 4);
  const giveUp = enter('second', 1);
  enter('third', 1);
  giveUp?.();
  expect(pass()).toEqual(['third']);
});

it('lets connections in before it begins what waits', async () => {
  const loop = processLoop(undefined, clock.now);
  const { promise: hasBegun, resolve } = Promise.withResolvers<void>();
  const gate = entrance(loop);
  let toAccept = 20;
  let leftWhenBegun = toAccept;
  const acceptOne = () => {
    if (toAccept === 0) return;
    toAccept -= 1;
    loop.accepted();
    setImmediate(acceptOne);
  };
  gate.enter({ kind: 'other', network: 'one' }, () => clock.block(4));
  gate.enter({ kind: 'other', network: 'two' }, () => {
    leftWhenBegun = toAccept;
    resolve();
  });
  acceptOne();
  await hasBegun;
  expect(leftWhenBegun).toBe(0);
});
