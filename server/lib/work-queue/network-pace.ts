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

/** Holds back networks that would take too much of the event loop from others. */
export interface NetworkPace {
  /**
   * Sets time aside for the network's next work. Null: it would have to wait too long, and nothing is set aside. `asker`:
   * whose own presence does not count, if not the whole network's.
   */
  reserve(network: string, asker?: string): Reservation | null;
  /**
   * Notes work for which no time was set aside. Returns the milliseconds that the network has to wait before more of it.
   * `asker`: as in `reserve`.
   */
  charge(network: string, ms: number, asker?: string): number;
  /** Notes that someone is asking; for a second, others are held back. */
  present(asker: string): void;
}

/** How much of the time one network may work while others ask too. */
const SHARE = 0.1;

/** Milliseconds of work that a network may do at once: a page's searches, or some visitors behind one address. */
const BURST = 100;

/**
 * Milliseconds of work beyond which it counts more: twice as much if it takes twice as long. Twice as many others come
 * meanwhile, and each of them waits twice as long for its rest.
 */
const SHORT = 5;

/**
 * Milliseconds that a piece of work counts at most. A machine that has stood still says little about who was at work, and
 * the network would be refused for ten times as long.
 */
const MOST_COUNTED = 200;

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
 * Work cannot be interrupted. Whoever keeps the event loop busy all the time, in fair turns, still makes everyone else
 * wait for the rest of a turn. So beside others a network works for a tenth of the time, and few of the others' requests
 * find it at work. Alone it has all of the time. `now` is in milliseconds of a monotonic clock.
 */
export function networkPace(now: () => number): NetworkPace {
  const tracked = new Map<string, Tracked>();
  const present = presence(now);

  /** The latest time at which a network that works now may be even. */
  function inBurst(at: number): number {
    return at + BURST / SHARE;
  }

  /** What a piece of work counts. */
  function countedOf(ms: number): number {
    return Math.min(ms * Math.max(1, ms / SHORT), MOST_COUNTED);
  }

  function track(network: string, state: Tracked): void {
    tracked.delete(network);
    tracked.set(network, state);
    if (tracked.size <= MAX_NETWORKS) return;
    const [leastRecent] = tracked.keys();
    if (leastRecent !== undefined) tracked.delete(leastRecent);
  }

  return {
    reserve(network, asker = network) {
      const at = now();
      const state = tracked.get(network) ?? { evenAt: at, usual: 1 };
      const reserved = state.usual;
      const before = Math.max(state.evenAt, at);
      const after = before + reserved / SHARE;
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
          const even = state.evenAt + (counted - reserved) / SHARE;
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
      const even = Math.max(state.evenAt, at) + countedOf(ms) / SHARE;
      state.evenAt = present.isAlone(asker) ? Math.min(even, inBurst(at)) : even;
      track(network, state);
      return Math.min(LONGEST_WAIT, Math.max(0, state.evenAt - inBurst(at)));
    },
    present: present.note,
  };
}
