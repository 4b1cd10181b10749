import { type Caller, CallerGone, LONGEST_IN_FLOOD_MS } from '../caller.ts';
import type { Clock } from '../clock.ts';
import { Overloaded } from '../overloaded.ts';
import { fairQueue, type Queued } from './fair-queue.ts';
import { type Presence, presence } from './presence.ts';
import { standing } from './standing.ts';

export interface WorkQueueSettings {
  /** In metrics. */
  name: string;
  /** Pieces of work that run at the same time. */
  concurrency: number;
  /** Pieces of one network's work that run at the same time while others ask too. Omitted: as many as there is room for. */
  mostOfNetwork?: number;
  /**
   * Work that is handed over before what runs has ended, while less than `ms` milliseconds of it are estimated to be left:
   * at most so many pieces. A thread then goes on while the event loop, which hands work over, is busy with requests.
   * Omitted: none.
   */
  ahead?: { pieces: number; ms: number };
  /** Pieces of work that may wait. */
  maxWaiting: number;
  /** Milliseconds. Work that has waited that long is refused, and also what is seen before then to have to wait for longer. */
  maxWaitMs: number;
  /**
   * Milliseconds. Work that is expected to wait longer is refused at once. Omitted: `maxWaitMs`. In a queue that is full for
   * long, all work that gets in is expected to wait as long as it may, so that much of it would be refused late, when it
   * has already cost something.
   */
  maxExpectedWaitMs?: number;
  /**
   * Milliseconds. The same while the queue stands in a flood (`standing.ts`). A burst, such as the questions of one page,
   * may take all of `maxWaitMs`; in a flood, who would wait so long is told at once, and who does wait, in this queue and in
   * those before it, is told within a second (`waitsInFloodUntil`). Omitted: as before that.
   */
  maxStandingWaitMs?: number;
  /** Milliseconds after which running work is aborted. Null: never. */
  maxRunMs: number | null;
  /** The first estimate of the milliseconds for a unit of cost, rather too low. It then follows what is measured. */
  msPerUnit: number;
}

/** Why work was not done. */
export type Refusal = 'full' | 'slow' | 'late' | 'aborted' | 'gone';

export interface WorkQueueStatus {
  waiting: number;
  running: number;
  /** Milliseconds that the oldest waiting work has waited; 0: none waits. */
  oldestMs: number;
  refused: Readonly<Record<Refusal, number>>;
}

/**
 * How many milliseconds work took, without those in which its result waited to be read, and how many of these a processor
 * worked on it, which are what it costs others. Omitted: all.
 */
export type Took = (ms: number, processorMs?: number) => void;

/** Work in a queue. It may say what it took; otherwise all until its result is there counts. */
export type Work<T> = (signal: AbortSignal, took: Took) => Promise<T>;

/** A bounded queue before a thread, a pool or the event loop. */
export interface WorkQueue {
  readonly name: string;
  /** The pieces of work that wait. */
  readonly waiting: number;
  /**
   * Runs work when it is its turn. Rejects with `Overloaded` if that would take or has taken too long, and with
   * `CallerGone` if the caller hangs up. `work` gets a signal that is then aborted; its place is free only when it ends.
   */
  run<T>(caller: Caller, cost: number, work: Work<T>): Promise<T>;
  /** Whether work of this caller would be refused now. */
  wouldRefuse(network: string, cost: number): boolean;
  status(): WorkQueueStatus;
  /** Resolves when nothing waits or runs. */
  idle(): Promise<void>;
}

interface Entry extends Queued {
  since: number;
  /** Milliseconds. */
  mayWait: number;
  isPatient: boolean;
  /** Hands the work over. */
  begin(): void;
  /** The work is the next that the thread does, or does already. */
  start(): void;
  refuse(why: Refusal): void;
}

/**
 * Milliseconds of work that the estimate remembers. The event loop reads and refuses requests behind one piece of its work
 * in ten: an estimate from the last few pieces is too low before it, and much work would then be let in and refused late.
 */
const REMEMBERED_MS = 500;

/**
 * Work counts as at most this many times slower than the first estimate. The start of a thread, or a machine that stands
 * still, makes small work slow, and says little about the work that follows.
 */
const MOST_SLOWER = 100;

const NONE_AHEAD = { pieces: 0, ms: 0 };

/** `present`: who asks in any of the queues before the same processors. Omitted: who asks in this one. */
export function workQueue(
  settings: WorkQueueSettings,
  clock: Clock,
  present: Presence = presence(() => clock.now()),
): WorkQueue {
  const { name, concurrency, maxWaiting, maxWaitMs, maxExpectedWaitMs = maxWaitMs, maxRunMs } = settings;
  const { mostOfNetwork = Number.POSITIVE_INFINITY, ahead = NONE_AHEAD } = settings;
  const { maxStandingWaitMs = maxExpectedWaitMs } = settings;
  const waiting = fairQueue<Entry>();
  /** What was handed over, in its order. Null: what was handed over before it has not ended. */
  const running = new Map<Entry, { startedAt: number | null; isWithdrawn: boolean }>();
  /** How many pieces of each network's work these are. */
  const runningOf = new Map<string, number>();
  const flood = standing(() => clock.now());
  const refused = { full: 0, slow: 0, late: 0, aborted: 0, gone: 0 };
  // Sums of what was measured, the recent counting more: large work counts more than small.
  let measuredMs = settings.msPerUnit;
  let measuredUnits = 1;
  const estimate = (cost: number) => (cost * measuredMs) / measuredUnits;
  let whenIdle: (() => void)[] = [];

  /** Milliseconds of work that is left of what runs. */
  function leftOf(isCounted: (entry: Entry) => boolean): number {
    let ms = 0;
    for (const [entry, { startedAt, isWithdrawn }] of running) {
      if (isWithdrawn || !isCounted(entry)) continue;
      ms += Math.max(0, estimate(entry.cost) - (startedAt === null ? 0 : clock.now() - startedAt));
    }
    return ms;
  }

  /** Milliseconds that work behind so much cost still waits. */
  function waitBehind({ all, ofNetwork }: { all: number; ofNetwork: number }, network: string): number {
    const forAll = (estimate(all) + leftOf(() => true)) / concurrency;
    if (!isHeldBack(network)) return forAll;
    const forNetwork = estimate(ofNetwork) + leftOf((other) => other.network === network);
    return Math.max(forAll, forNetwork / mostOfNetwork);
  }

  /** The wait of work that comes now. */
  function waitOf(entry: Queued): number {
    const { network } = entry;
    return waitBehind({ all: waiting.costBefore(entry), ofNetwork: waiting.costOf(network) }, network);
  }

  /** The wait of work that has come before. */
  function restOfWait(entry: Entry): number {
    return running.has(entry) ? 0 : waitBehind(waiting.costAhead(entry), entry.network);
  }

  /** Milliseconds that a caller's work may wait if it comes now, and after which its expected wait is checked again. */
  function patienceFor(caller: Caller): { mayWait: number; looksAfter: number } {
    const now = clock.now();
    const { waitsUntil = Number.POSITIVE_INFINITY, waitsInFloodUntil = now + LONGEST_IN_FLOOD_MS } = caller;
    const left = (until: number) => Math.min(maxWaitMs, Math.max(0, until - now));
    const mayWait = left(waitsUntil);
    if (caller.isPatient) return { mayWait, looksAfter: mayWait };
    const inFlood = Math.min(mayWait, left(waitsInFloodUntil));
    const isHurried = settings.maxStandingWaitMs !== undefined && flood.isStanding();
    return { mayWait: isHurried ? inFlood : mayWait, looksAfter: inFlood };
  }

  /** Whether a network has as much running as it may have beside others. */
  function isHeldBack(network: string): boolean {
    return (runningOf.get(network) ?? 0) >= mostOfNetwork && !present.isAlone(network);
  }

  function hasRoom(): boolean {
    if (running.size < concurrency) return true;
    return running.size < concurrency + ahead.pieces && leftOf(() => true) / concurrency < ahead.ms;
  }

  /** The longest that work which comes now may be expected to wait. */
  function longestExpectedWait(isPatient: boolean): number {
    return !isPatient && flood.isStanding() ? maxStandingWaitMs : maxExpectedWaitMs;
  }

  function startNext(): void {
    while (hasRoom()) {
      const entry = waiting.next(({ network }) => !isHeldBack(network));
      if (entry === null) break;
      // Its timer is late too while the event loop is blocked.
      if (clock.now() - entry.since > entry.mayWait) entry.refuse('late');
      else entry.begin();
    }
    flood.note(waiting.length > 0);
    if (running.size > 0 || waiting.length > 0) return;
    for (const resolve of whenIdle) resolve();
    whenIdle = [];
  }

  function wait(entry: Entry): void {
    waiting.push(entry);
    flood.note(true);
  }

  /** What has ended leaves its place to what was handed over next. */
  function startHandedOver(): void {
    const first = [...running].slice(0, concurrency);
    for (const [entry, { startedAt }] of first) if (startedAt === null) entry.start();
  }

  /** Begins the entry, makes it wait, or refuses it or a heavier network's last one. */
  function admit(entry: Entry): void {
    present.note(entry.network);
    // As what was handed over is worked on, there is room for more.
    if (waiting.length > 0) startNext();
    const mayBegin = hasRoom() && !isHeldBack(entry.network);
    if (mayBegin && waiting.length === 0) entry.begin();
    else if (mayBegin) {
      // Those that wait are held back, or there would be no room.
      wait(entry);
      startNext();
    } else if (waitOf(entry) > Math.min(longestExpectedWait(entry.isPatient), entry.mayWait))
      entry.refuse('slow');
    else if (waiting.length < maxWaiting) wait(entry);
    else {
      const heaviest = waiting.lastOfHeaviest(entry);
      (heaviest ?? entry).refuse('full');
      if (heaviest !== null) wait(entry);
    }
  }

  function measured(cost: number, ms: number): void {
    const counted = Math.min(ms, MOST_SLOWER * settings.msPerUnit * cost);
    const kept = Math.exp(-counted / REMEMBERED_MS);
    measuredMs = kept * measuredMs + counted;
    measuredUnits = kept * measuredUnits + cost;
  }

  function run<T>(caller: Caller, cost: number, work: Work<T>): Promise<T> {
    const { network, signal, weight, isPatient = false, worked = () => {} } = caller;
    const { mayWait, looksAfter } = patienceFor(caller);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const ending = new AbortController();
    let stopTimer = () => {};
    const hungUp = () => entry.refuse('gone');

    const entry: Entry = {
      network,
      cost,
      weight,
      since: clock.now(),
      mayWait,
      isPatient,
      begin() {
        running.set(entry, { startedAt: null, isWithdrawn: false });
        runningOf.set(network, (runningOf.get(network) ?? 0) + 1);
        if (running.size <= concurrency) entry.start();
        const begunAt = clock.now();
        let isDone = false;
        let measurement: { ms: number; processorMs: number } | null = null;
        const took: Took = (ms, processorMs = ms) => {
          measurement = { ms, processorMs };
        };
        const done = (result: T) => {
          isDone = true;
          resolve(result);
        };
        const end = () => {
          running.delete(entry);
          const left = (runningOf.get(network) ?? 1) - 1;
          if (left > 0) runningOf.set(network, left);
          else runningOf.delete(network);
          settle();
          const elapsed = clock.now() - begunAt;
          const { ms, processorMs } = measurement ?? { ms: elapsed, processorMs: elapsed };
          worked(processorMs);
          if (isDone && !ending.signal.aborted) measured(cost, ms);
          startHandedOver();
          startNext();
        };
        // The answer is given before the next work starts.
        attempt(work, ending.signal, took).then(done, reject).then(end, end);
      },
      start() {
        const state = running.get(entry);
        if (state === undefined) return;
        state.startedAt = clock.now();
        stopTimer();
        if (maxRunMs !== null && !state.isWithdrawn) {
          stopTimer = clock.after(maxRunMs, () => entry.refuse('aborted'));
        }
      },
      refuse(why) {
        refused[why] += 1;
        settle();
        const state = running.get(entry);
        if (state === undefined) worked(0);
        else state.isWithdrawn = true;
        reject(why === 'gone' ? new CallerGone() : new Overloaded(waitOf(entry)));
        waiting.remove(entry);
        flood.note(waiting.length > 0);
        ending.abort();
      },
    };

    /** What came in a burst may wait for longer, but not for nothing. */
    function lookAgain(): void {
      const left = entry.since + mayWait - clock.now();
      if (left <= 0 || restOfWait(entry) > left) entry.refuse('late');
      else stopTimer = clock.after(left, lookAgain);
    }

    function settle(): void {
      stopTimer();
      signal?.removeEventListener('abort', hungUp);
    }

    if (signal?.aborted) entry.refuse('gone');
    else {
      signal?.addEventListener('abort', hungUp, { once: true });
      stopTimer = clock.after(looksAfter, lookAgain);
      admit(entry);
    }
    return promise;
  }

  return {
    name,
    get waiting() {
      return waiting.length;
    },
    run,
    wouldRefuse(network, cost) {
      if (waiting.length === 0) return false;
      const entry = { network, cost };
      return (
        waitOf(entry) > longestExpectedWait(false) ||
        (waiting.length >= maxWaiting && waiting.lastOfHeaviest(entry) === null)
      );
    },
    status() {
      const oldest = Math.min(...waiting.entries().map(({ since }) => since));
      return {
        waiting: waiting.length,
        running: running.size,
        oldestMs: waiting.length === 0 ? 0 : clock.now() - oldest,
        refused: { ...refused },
      };
    },
    idle() {
      if (running.size === 0 && waiting.length === 0) return Promise.resolve();
      return new Promise((resolve) => whenIdle.push(resolve));
    },
  };
}

/** A failure before the first wait is a rejection too. */
async function attempt<T>(work: Work<T>, signal: AbortSignal, took: Took): Promise<T> {
  return await work(signal, took);
}
