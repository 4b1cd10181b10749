import { presence } from './presence.ts';

/** Time on the event loop that is set aside for a piece of a network's work: as much as its work usually takes. */
export interface Reservation {
  /** The milliseconds that the work has to wait. */
  readonly wait: number;
  /** Whether the network has worked, or has reserved, more than it may at once. To be asked when the work begins. */
  isHeldBack(): boolean;
  /** Notes how long the work took, which then counts instead of what was set aside. */
  worked(ms: number): void;
  /** Gives the time back: the work does not take place. */
  release(): void;
}

/** Holds back networks that would take too much of the event loop, or of threads, from others. */
export interface NetworkPace {
  /**
   * Sets time aside for the network's next work. Null: it would have to wait too long, and nothing is set aside. `asker`:
   * whose own presence does not count, if not the whole network's. `expectedMs`: what the work is expected to take.
   * Omitted: what the network's work usually takes.
   */
  reserve(network: string, asker?: string, expectedMs?: number): Reservation | null;
  /**
   * Notes work for which no time was set aside. Returns the milliseconds that the network has to wait before more of it.
   * `asker`: as in `reserve`.
   */
  charge(network: string, ms: number, asker?: string): number;
  /** Notes that someone is asking; for a second, others are held back. */
  present(asker: string): void;
}

export interface PaceSettings {
  /** How much of the time one network may work while others ask too. */
  share: number;
  /** Milliseconds of work that a network may do at once: a page's searches, or some visitors behind one address. */
  burst: number;
  /** Milliseconds. A longer piece of work counts for more than its time: one of twice this length, four times as much. */
  short: number;
  /**
   * Milliseconds that a piece of work counts at most. Garbage may have been collected in a long one, and its network would
   * then be refused for something that others have left.
   */
  most: number;
}

/**
 * Work on the event loop cannot be interrupted, and everybody waits for it. While a piece runs that is twice as long, twice
 * as many others arrive, and each of them waits twice as long for its end.
 */
export const PACE_OF_EVENT_LOOP: PaceSettings = { share: 0.1, burst: 50, short: 5, most: 50 };

/** Threads work beside the event loop. Where processors are few they take its time all the same. */
export const PACE_OF_THREADS: PaceSettings = {
  share: 0.25,
  burst: 250,
  short: Number.POSITIVE_INFINITY,
  most: Number.POSITIVE_INFINITY,
};

/** Milliseconds. Whoever waits so long has still some of its two seconds left for the queues behind. */
const LONGEST_WAIT = 1_200;

/** Networks that are tracked. Beyond that, the one that has worked least recently is dropped. */
const MAX_NETWORKS = 1_000;

interface Tracked {
  /** When the network will have worked no more than its share again (the generic cell rate algorithm). */
  evenAt: number;
  /** Milliseconds that a piece of its work usually takes. */
  usual: number;
}

/**
 * Whoever keeps the event loop busy all the time, in fair turns, still makes everyone else wait for the rest of a turn. So
 * beside others a network works for a share of the time, and few of the others' requests find it at work. Alone it has all
 * of the time. `now` is in milliseconds of a monotonic clock.
 */
export function networkPace(
  now: () => number,
  { share, burst, short, most }: PaceSettings = PACE_OF_EVENT_LOOP,
): NetworkPace {
  const tracked = new Map<string, Tracked>();
  const present = presence(now);

  /** The latest time at which a network that works now may be even. */
  function inBurst(at: number): number {
    return at + burst / share;
  }

  /** What a piece of work counts. */
  function countedOf(ms: number): number {
    return Math.min(ms * Math.max(1, ms / short), most);
  }

  function track(network: string, state: Tracked): void {
    tracked.delete(network);
    tracked.set(network, state);
    if (tracked.size <= MAX_NETWORKS) return;
    const [leastRecent] = tracked.keys();
    if (leastRecent !== undefined) tracked.delete(leastRecent);
  }

  return {
    reserve(network, asker = network, expectedMs) {
      const at = now();
      const state = tracked.get(network) ?? { evenAt: at, usual: 1 };
      const reserved = expectedMs ?? state.usual;
      const before = Math.max(state.evenAt, at);
      const after = before + reserved / share;
      const isFree = present.isAlone(asker);
      const wait = isFree ? 0 : Math.max(0, after - inBurst(at));
      if (wait > LONGEST_WAIT) return null;
      // What it takes while nobody else asks is not held against it.
      state.evenAt = isFree ? Math.min(after, inBurst(at)) : after;
      const added = Math.max(0, state.evenAt - before);
      track(network, state);
      return {
        wait,
        isHeldBack: () => wait > 0 || state.evenAt > inBurst(now()),
        worked(ms) {
          const counted = countedOf(ms);
          // Alone, less may have been set aside than the work was expected to take.
          const even = state.evenAt - added + counted / share;
          state.evenAt = isFree ? Math.min(even, inBurst(now())) : even;
          state.usual = 0.8 * state.usual + 0.2 * counted;
        },
        release() {
          state.evenAt -= added;
        },
      };
    },
    charge(network, ms, asker = network) {
      const at = now();
      const state = tracked.get(network) ?? { evenAt: at, usual: 1 };
      const even = Math.max(state.evenAt, at) + countedOf(ms) / share;
      state.evenAt = present.isAlone(asker) ? Math.min(even, inBurst(at)) : even;
      track(network, state);
      return Math.min(LONGEST_WAIT, Math.max(0, state.evenAt - inBurst(at)));
    },
    present: present.note,
  };
}
