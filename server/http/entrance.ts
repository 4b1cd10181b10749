import { type FairQueue, fairQueue, type Queued } from '../lib/work-queue/fair-queue.ts';
import type { ProcessLoop } from '../lib/work-queue/turns.ts';

/** `urgent`: others decide by the answer, or it is a provider's delivery. `search`: it has a queue of its own. */
export type EnteringKind = 'urgent' | 'search' | 'other';

interface Entering {
  kind: EnteringKind;
  /** Whose place it takes. */
  network: string;
}

/** Where requests get in that are neither refused nor held back. */
export interface Entrance {
  /**
   * Calls `start` now, if nobody waits and the pass of the event loop is still short, or else in its turn. Returns the
   * function that gives the turn up, to be called if the client is gone; null: it has been called.
   */
  enter(entering: Entering, start: () => void): (() => void) | null;
}

/** The event loop, so that a test can supply another. */
export type EntranceLoop = Pick<ProcessLoop, 'now' | 'nextPass' | 'nextCallback'>;

interface Waiting extends Queued {
  /** By the loop's clock. */
  since: number;
  start(): void;
}

/**
 * Milliseconds of a pass after which a request that is read in it waits. The second is for urgent requests, which are few,
 * and for searches, whose own queue refuses at once what it has no time for.
 */
const SHORT_PASS = 3;
const LONG_PASS = 40;

/** Milliseconds after which a search begins in the next pass, however many of its network come before it. */
const LONGEST_SEARCH_WAIT = 250;

/** Milliseconds of work in one pass on those of many networks that waited, at least and at most, and how many of them. */
const SHORTEST = 10;
const LONGEST = 20;
const MOST_STARTED = 256;

/** Milliseconds of that work for each network that waits: where there are few, nobody else waits long for theirs. */
const LONGEST_OF_EACH = 3;

/**
 * Keeps passes of the event loop short enough for new visitors to get in. libuv accepts one connection in a pass, and
 * reads all open ones. If every request were answered in the pass that reads it, hundreds of busy connections would make
 * each pass long, and a new visitor would wait for one such pass for each connection that came before.
 *
 * So a request that is read late in a long pass waits here, and passes that accept connections and do nothing else come
 * first. Then those that wait are worked on for as long as everything else took since the last time, within bounds, so
 * that pages are not put behind searches. Where few networks wait, that is shorter: a client that asks for hundreds of
 * pages at once waits for them, and others' searches hardly do. Urgent requests and others begin alternately, so that a
 * flood of urgent ones does not keep the others out, and the networks of each kind take turns.
 *
 * One search of each network begins in a pass: if those of all its connections did, searches of others that have been
 * read before would wait until all of them had been read. A search that has waited for long begins all the same, because
 * a queue of its own paces and refuses searches. A connection has one request here at most.
 */
export function entrance(loop: EntranceLoop): Entrance {
  const queues: Record<EnteringKind, FairQueue<Waiting>> = {
    urgent: fairQueue(),
    search: fairQueue(),
    other: fairQueue(),
  };
  /** Searches of networks that had others before them in their pass. */
  const repeated = fairQueue<Waiting>();
  /** When the first request of this pass came. Null: none has. */
  let passSince: number | null = null;
  /** The networks of which a search has begun in this pass, or begins in the next. */
  const searching = new Set<string>();
  let isBooked = false;
  let workedUntil = loop.now();
  let isUrgentNext = true;

  const countPaced = () => queues.urgent.length + queues.other.length;

  /** How many of them begin in the next pass at most. */
  function countRepeated(): number {
    const waiting = repeated.entries();
    const networks = new Set(waiting.map(({ network }) => network));
    const longestSince = loop.now() - LONGEST_SEARCH_WAIT;
    return networks.size + waiting.filter(({ since }) => since <= longestSince).length;
  }

  /** The milliseconds that this pass works on those that waited, at most. */
  function longestWork(): number {
    const networks = new Set<string>();
    for (const { network } of [...queues.urgent.entries(), ...queues.other.entries()]) {
      networks.add(network);
      if (networks.size * LONGEST_OF_EACH >= LONGEST) return LONGEST;
    }
    return networks.size * LONGEST_OF_EACH;
  }

  /** The milliseconds since the first request of this pass. */
  function passAge(): number {
    passSince ??= loop.now();
    if (!isBooked) loop.nextPass(pass);
    isBooked = true;
    return loop.now() - passSince;
  }

  /** The queue that a request waits in. Null: it begins at once. */
  function queueFor({ kind, network }: Entering): FairQueue<Waiting> | null {
    const age = passAge();
    if (kind === 'other') return age < SHORT_PASS && countPaced() === 0 ? null : queues.other;
    if (kind === 'search') {
      if (searching.has(network)) return repeated;
      searching.add(network);
    }
    return age < LONG_PASS && queues[kind].length === 0 ? null : queues[kind];
  }

  function startSearch(search: Waiting | null): void {
    if (search === null) return;
    searching.add(search.network);
    search.start();
  }

  function startRepeated(): void {
    const now = loop.now();
    const mayBegin = ({ network, since }: Waiting) =>
      !searching.has(network) || now - since >= LONGEST_SEARCH_WAIT;
    startSearch(repeated.next(mayBegin));
  }

  function startPaced(): void {
    const { urgent, other } = queues;
    const [first, second] = isUrgentNext ? [urgent, other] : [other, urgent];
    isUrgentNext = !isUrgentNext;
    (first.next() ?? second.next())?.start();
  }

  function pass(): void {
    passSince = null;
    searching.clear();
    isBooked = countPaced() + queues.search.length + repeated.length > 0;
    if (!isBooked) return;
    const workedSince = loop.now();
    startWaiting();
    loop.nextCallback(() => {
      passSince = null;
      workedUntil = loop.now();
      loop.nextPass(pass, workedSince);
    });
  }

  /** Each in a callback of its own: what follows from it at once, such as a search, is then done before the next. */
  function startWaiting(): void {
    let until: number | null = null;
    const longest = longestWork();
    const startInTime = () => {
      const now = loop.now();
      until ??= now + Math.min(longest, Math.max(SHORTEST, now - workedUntil));
      if (now < until) startPaced();
    };
    for (let left = queues.search.length; left > 0; left -= 1) {
      loop.nextCallback(() => startSearch(queues.search.next()));
    }
    for (let left = countRepeated(); left > 0; left -= 1) loop.nextCallback(startRepeated);
    for (let left = Math.min(countPaced(), MOST_STARTED); left > 0; left -= 1) loop.nextCallback(startInTime);
  }

  return {
    enter(entering, start) {
      const queue = queueFor(entering);
      if (queue === null) {
        start();
        return null;
      }
      const { network } = entering;
      const entry = { network, cost: 1, since: loop.now(), start };
      queue.push(entry);
      return () => void queue.remove(entry);
    },
  };
}
