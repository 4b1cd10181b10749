/** Holds back networks that would take too much of the event loop from others. */
export interface NetworkPace {
  /**
   * The milliseconds that the network's next work has to wait, which are then reserved for it. Null: they would be too
   * many, and nothing is reserved. `asker`: whose own presence does not count, if not the whole network's.
   */
  reserve(network: string, asker?: string): number | null;
  /** Notes how long the network's work took. */
  worked(network: string, ms: number): void;
  /** Notes that someone is asking; for a second, others are held back. */
  present(asker: string): void;
}

/** How much of the time one network may work while others ask too. */
const SHARE = 0.1;

/** Milliseconds of work that a network may do at once: a page's searches, or some visitors behind one address. */
const BURST = 100;

/** Milliseconds for which others count as there. */
const PRESENT = 1_000;

/** Milliseconds. */
const LONGEST_WAIT = 2_000;

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
  /** Those that were there last, the latest first. */
  let latest = { asker: '', at: Number.NEGATIVE_INFINITY };
  let latestOther = latest;

  function isAlone(asker: string, at: number): boolean {
    const other = latest.asker === asker ? latestOther : latest;
    return at - other.at > PRESENT;
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
      const { evenAt, usual } = tracked.get(network) ?? { evenAt: at, usual: 1 };
      const after = Math.max(evenAt, at) + usual / SHARE;
      const inBurst = at + BURST / SHARE;
      if (isAlone(asker, at)) {
        // What it takes while nobody else asks is not held against it.
        track(network, { evenAt: Math.min(after, inBurst), usual });
        return 0;
      }
      const wait = Math.max(0, after - inBurst);
      if (wait > LONGEST_WAIT) return null;
      track(network, { evenAt: after, usual });
      return wait;
    },
    worked(network, ms) {
      const state = tracked.get(network);
      if (state !== undefined) state.usual = 0.8 * state.usual + 0.2 * ms;
    },
    present(asker) {
      if (latest.asker !== asker) latestOther = latest;
      latest = { asker, at: now() };
    },
  };
}
