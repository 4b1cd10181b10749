import { type Caller, CallerGone, heldBackFor, withoutDeadline } from '../caller.ts';
import { systemClock } from '../clock.ts';
import { Overloaded } from '../overloaded.ts';
import { TICK_MS, threadTime } from '../thread-time.ts';
import { afterWork } from './after-work.ts';
import { type NetworkPace, networkPace, PACE_OF_THREADS, type Reservation } from './network-pace.ts';
import type { WorkQueue } from './work-queue.ts';

/** The event loop, so that a test can supply another. */
export interface EventLoop {
  /** Milliseconds. */
  now(): number;
  /** Milliseconds of the processor that the thread has used, as `threadTime`. */
  threadTime(): number;
  /** Runs a task when all promises that are settled now have been followed. */
  afterWork(task: () => void): void;
  /** Runs a task in the next pass of the loop, after connections have been accepted and read. */
  nextPass(task: () => void): void;
  /** Runs a task after some milliseconds. */
  after(ms: number, task: () => void): void;
}

export interface ProcessLoop extends EventLoop {
  /** `since`: when the work of this pass began, if it was before now. */
  nextPass(task: () => void, since?: number): void;
  /** Runs a task in a callback of its own, behind those that wait already, after connections have been read once more. */
  nextCallback(task: () => void): void;
  /** To be called for each new connection. */
  accepted(): void;
}

/** What may come between two passes with work. */
export interface Accepting {
  /** Connections that are accepted at most. */
  most: number;
  /** The part of the time that the work of the pass took, within which the next one is accepted. */
  share: number;
}

const ACCEPTING: Accepting = { most: 64, share: 1 / 4 };

/**
 * The event loop of this process. libuv accepts one connection in a pass: beside long passes thousands of visitors would
 * wait to be let in, so passes without work come first while each lets another one in, for a part of the time that the work
 * took. If all who connect were let in first, thousands who connect again and again would keep everybody's searches waiting.
 */
export function processLoop(accepting: Accepting = ACCEPTING, now = () => performance.now()): ProcessLoop {
  let hasAccepted = false;
  let tasks: (() => void)[] = [];
  /** When the work of this pass began. */
  let begun = 0;

  function firstPass(): void {
    const at = now();
    pass(0, at + (at - begun) * accepting.share);
  }

  function pass(empty: number, acceptsUntil: number): void {
    if (hasAccepted && empty < accepting.most && now() < acceptsUntil) {
      hasAccepted = false;
      setImmediate(pass, empty + 1, acceptsUntil);
      return;
    }
    const due = tasks;
    tasks = [];
    for (const task of due) task();
  }

  return {
    now,
    threadTime,
    afterWork,
    nextPass(task, since = now()) {
      tasks.push(task);
      if (tasks.length > 1) return;
      begun = since;
      setImmediate(firstPass);
    },
    nextCallback: (task) => void setImmediate(task),
    after: (ms, task) => void systemClock.after(ms, task),
    accepted() {
      hasAccepted = true;
    },
  };
}

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

/** How a request got its turn. */
export interface RequestTurn {
  /** Its network has asked for more than its share of the event loop beside others. */
  isHeldBack: boolean;
  /** Milliseconds that it had to wait for that reason. */
  heldBackMs: number;
  /** Whether the turn is over: the request has waited for a thread or a store since. */
  isOver(): boolean;
}

/** Time on the event loop in which what is found may be made into an answer, in one piece or in several. */
export interface AnswerTime {
  /**
   * Resolves when it is time, and for each further piece as soon as others have had their turns. Rejects with `Overloaded` or
   * `CallerGone`.
   */
  take(): Promise<void>;
  /** Gives the time back, if it was not taken: there is no answer to make. */
  release(): void;
}

/** Turns on the event loop. */
export interface EventLoopTurns {
  /** Resolves when the caller's request may be read and answered. Rejects with `Overloaded`. */
  request(caller: Caller): Promise<RequestTurn>;
  /**
   * Sets time aside for the answer to a large request, before it is searched for. Throws `Overloaded` if the caller would
   * have to wait too long for it.
   */
  reserveAnswer(caller: Caller): AnswerTime;
  /**
   * Runs work in another thread, when the caller may have more of its time: what it is expected to take, in milliseconds.
   * `work` gets the caller for its queue, which notes what it has taken. Rejects with `Overloaded` or `CallerGone`.
   */
  inThread<T>(caller: Caller, expectedMs: number, work: (caller: Caller) => Promise<T>): Promise<T>;
  /**
   * Notes that a search of the caller has kept the event loop busy for `ms` outside its turns. Resolves at its next turn, or
   * rejects with `Overloaded` or `CallerGone`.
   */
  rest(caller: Caller, ms: number, of: 'small request' | 'large request'): Promise<void>;
  /** Notes that the caller's request is small, so that programs on this machine are held back beside it. */
  smallRequest(caller: Caller): void;
}

/** The reservation of work that is not held back: it waits for nothing, and its time is not counted. */
const NOT_PACED: Reservation = { wait: 0, isHeldBack: () => false, worked() {}, release() {} };

/** The large requests of all programs on this machine share one place. */
const THIS_MACHINE = 'this machine';

/**
 * The work of one caller follows the other's until the pass has taken long enough; then connections are read, and
 * whoever waits is sorted by fairness again. A pass grows with the time that reading and refusing takes, up to `LONGEST`.
 * A network that would take too much of the time from others is held back. Programs on this machine have no networks:
 * only their large answers are held back, all together, beside the small requests of others.
 */
export function eventLoopTurns(queue: WorkQueue, loop: EventLoop): EventLoopTurns {
  const requests = networkPace(loop.now);
  const answers = networkPace(loop.now);
  const threads = networkPace(loop.now, PACE_OF_THREADS);
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

  /** Resolves at the turn of work for which time is reserved. */
  function turn(caller: Caller, reserved: Reservation): Promise<RequestTurn> {
    let hasBegun = false;
    let hasEnded = false;
    const { promise, resolve, reject } = Promise.withResolvers<RequestTurn>();
    const work = () => {
      hasBegun = true;
      const current = currentPass();
      const isAgain = current.networks.has(caller.network);
      current.networks.add(caller.network);
      const startedAt = loop.now();
      const threadFrom = loop.threadTime();
      resolve({
        isHeldBack: reserved.isHeldBack(),
        heldBackMs: reserved.wait,
        isOver: () => hasEnded,
      });
      return new Promise<void>((end) => {
        loop.afterWork(() => {
          hasEnded = true;
          const ms = loop.now() - startedAt;
          current.worked += ms;
          // While the machine stands still, or is busy with other work, the network has not worked.
          reserved.worked(Math.min(ms, loop.threadTime() - threadFrom + TICK_MS));
          if (current.worked < (isAgain ? SHORTEST : longest)) end();
          else loop.nextPass(end);
        });
      });
    };
    const refused = (error: unknown) => {
      if (!hasBegun) reserved.release();
      reject(error);
    };
    const start = () => void queue.run(caller, 1, work).catch(refused);
    if (reserved.wait === 0) start();
    else untilTime(caller, reserved).then(start, refused);
    return promise;
  }

  /** Resolves when the time has come that is set aside, or rejects with `CallerGone`. */
  async function untilTime({ signal }: Caller, { wait }: Reservation): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const gone = () => reject(new CallerGone());
    if (signal?.aborted) gone();
    signal?.addEventListener('abort', gone, { once: true });
    loop.after(wait, resolve);
    await promise.finally(() => signal?.removeEventListener('abort', gone));
  }

  /** Milliseconds that the caller may still wait. */
  function leftOf({ waitsUntil = Number.POSITIVE_INFINITY }: Caller): number {
    return Math.max(0, waitsUntil - loop.now());
  }

  /** Whoever was at work is there, and others are held back beside it. */
  function noteWorker(network: string): void {
    for (const pace of [requests, answers, threads]) pace.present(network);
  }

  /** Sets time aside that comes before the caller has waited too long. Throws `Overloaded`. */
  function inTime(caller: Caller, reserved: Reservation | null): Reservation {
    if (reserved !== null && reserved.wait <= leftOf(caller)) return reserved;
    reserved?.release();
    throw new Overloaded(1_000);
  }

  /** Time for the caller's work, which makes others wait once it has begun. Throws `Overloaded`. */
  function reserve(pace: NetworkPace, caller: Caller): Reservation {
    const { network } = caller;
    const reserved = inTime(caller, pace.reserve(network));
    return {
      ...reserved,
      worked(ms) {
        reserved.worked(ms);
        noteWorker(network);
      },
    };
  }

  /** Notes work of the caller for which no time was set aside. Returns the milliseconds that it has to wait before more. */
  function charge(pace: NetworkPace, { isLocal, network }: Caller, ms: number): number {
    if (isLocal) return pace.charge(THIS_MACHINE, ms, network);
    noteWorker(network);
    return pace.charge(network, ms);
  }

  return {
    request: async (caller) => turn(caller, caller.isLocal ? NOT_PACED : reserve(requests, caller)),
    reserveAnswer(caller) {
      const reserved = caller.isLocal
        ? inTime(caller, answers.reserve(THIS_MACHINE, caller.network))
        : reserve(answers, caller);
      const from = loop.now() + reserved.wait;
      let isOpen = true;
      return {
        async take() {
          const wait = Math.max(0, from - loop.now());
          const further = { ...NOT_PACED, worked: (ms: number) => void charge(answers, caller, ms) };
          const time = isOpen ? { ...reserved, wait } : further;
          isOpen = false;
          await turn(withoutDeadline(caller), time);
        },
        release() {
          if (isOpen) reserved.release();
          isOpen = false;
        },
      };
    },
    async inThread(caller, expectedMs, work) {
      const { isLocal, network } = caller;
      const shared = isLocal ? THIS_MACHINE : network;
      const reserved = inTime(caller, threads.reserve(shared, network, expectedMs));
      if (reserved.wait > 0) {
        await untilTime(caller, reserved).catch((error: unknown) => {
          reserved.release();
          throw error;
        });
      }
      return await work({ ...heldBackFor(caller, reserved.wait), worked: reserved.worked });
    },
    async rest(caller, ms, of) {
      const isCharged = caller.isLocal !== true || of === 'large request';
      const pace = of === 'large request' ? answers : requests;
      const worked = (spent: number) => (isCharged ? charge(pace, caller, spent) : 0);
      const wait = worked(ms);
      // What it has cost counts all the same.
      if (caller.signal?.aborted) throw new CallerGone();
      await turn(withoutDeadline(caller), { ...NOT_PACED, wait, worked });
    },
    smallRequest({ isLocal, network }) {
      if (isLocal) noteWorker(network);
    },
  };
}
