import type { Caller } from '../caller.ts';
import { systemClock } from '../clock.ts';
import { Overloaded } from '../overloaded.ts';
import { networkPace } from './network-pace.ts';
import type { WorkQueue } from './work-queue.ts';

/** The event loop, so that a test can supply another. */
export interface EventLoop {
  /** Milliseconds. */
  now(): number;
  /** Runs a task when all promises that are settled now have been followed. */
  afterWork(task: () => void): void;
  /** Runs a task in the next pass of the loop, after connections have been read. */
  nextPass(task: () => void): void;
  /** Runs a task after some milliseconds. */
  after(ms: number, task: () => void): void;
}

export const processLoop: EventLoop = {
  now: () => performance.now(),
  // A tick that is queued by a microtask comes after all microtasks; any other tick comes before them.
  afterWork: (task) => queueMicrotask(() => process.nextTick(task)),
  nextPass: (task) => void setImmediate(task),
  after: (ms, task) => void systemClock.after(ms, task),
};

/** Milliseconds of work in one pass of the loop, at least and at most. */
const SHORTEST = 2;
const LONGEST = 40;

/** Work may take this many times as long as reading and refusing requests did in the pass before. */
const SHARE_OF_WORK = 4;

interface Pass {
  startedAt: number;
  /** Milliseconds. */
  worked: number;
  /** Those that have had a turn: when one has another, everybody who waited has had one. */
  networks: Set<string>;
}

/**
 * Turns on the event loop: resolves when the caller may start its work. The work of one caller follows the other's until
 * the pass has taken long enough; then connections are read, and whoever waits is sorted by fairness again. While more
 * requests come than can be answered, reading and refusing them takes no more than a fifth of the time. A network that
 * would take too much of the time from others is held back; rejects with `Overloaded` if that would take too long.
 */
export function eventLoopTurns(queue: WorkQueue, loop: EventLoop): (caller: Caller) => Promise<void> {
  const pace = networkPace(loop.now);
  let pass: Pass | null = null;
  let longest = SHORTEST;

  function currentPass(): Pass {
    if (pass !== null) return pass;
    const begun = { startedAt: loop.now(), worked: 0, networks: new Set<string>() };
    pass = begun;
    loop.nextPass(() => {
      const others = loop.now() - begun.startedAt - begun.worked;
      longest = Math.min(LONGEST, Math.max(SHORTEST, SHARE_OF_WORK * others));
      pass = null;
    });
    return begun;
  }

  return (caller) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const work = () => {
      const current = currentPass();
      const isAgain = current.networks.has(caller.network);
      current.networks.add(caller.network);
      const startedAt = loop.now();
      resolve();
      return new Promise<void>((end) => {
        loop.afterWork(() => {
          const ms = loop.now() - startedAt;
          current.worked += ms;
          if (!caller.isLocal) pace.worked(caller.network, ms);
          if (current.worked < (isAgain ? SHORTEST : longest)) end();
          else loop.nextPass(end);
        });
      });
    };
    const wait = caller.isLocal ? 0 : pace.reserve(caller.network);
    const start = () => void queue.run(caller, 1, work).catch(reject);
    if (wait === null) reject(new Overloaded(1_000));
    else if (wait === 0) start();
    else loop.after(wait, start);
    return promise;
  };
}
