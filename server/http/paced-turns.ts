import type { Clock } from '../lib/clock.ts';
import { type Tally, tally } from '../lib/tally.ts';

/** Lets the waiting requests of each network in one after the other. */
export interface PacedTurns {
  /**
   * Calls `go` in the network's turn. Returns the function that gives the turn up, to be called if the client is gone:
   * what waits holds its request, and others are behind it.
   */
  wait(network: string, go: () => void): () => void;
  /** The milliseconds that the next request of a network would wait. */
  waitOf(network: string): number;
}

interface Waiting {
  /** It goes at this time of the clock at the earliest. */
  from: number;
  go: () => void;
}

interface Network {
  /** When its next one may go. */
  nextAt: number;
  /** In the order in which they came. */
  waiting: Set<Waiting>;
}

/**
 * Turns of one network are so many milliseconds apart; each waits for `leastMs` at least. `heldBack` counts those that wait,
 * by their networks.
 */
export function pacedTurns(
  clock: Clock,
  { everyMs, leastMs }: { everyMs: number; leastMs: number },
  heldBack: Tally = tally(),
): PacedTurns {
  const networks = new Map<string, Network>();

  function leave(name: string, { waiting }: Network, one: Waiting): void {
    if (waiting.delete(one)) heldBack.takeOff(name);
  }

  /** Looks after the first one that waits, or forgets the network when its next turn would be due. */
  function follow(name: string, network: Network): void {
    const [first] = network.waiting;
    const at = Math.max(network.nextAt, first?.from ?? 0);
    clock.after(Math.max(0, at - clock.now()), () => {
      const [due] = network.waiting;
      if (due === undefined) {
        networks.delete(name);
        return;
      }
      if (due.from <= clock.now()) {
        leave(name, network, due);
        network.nextAt = clock.now() + everyMs;
        due.go();
      }
      follow(name, network);
    });
  }

  return {
    wait(name, go) {
      const now = clock.now();
      const known = networks.get(name);
      const network = known ?? { nextAt: now, waiting: new Set() };
      const one = { from: now + leastMs, go };
      network.waiting.add(one);
      heldBack.add(name);
      if (known === undefined) {
        networks.set(name, network);
        follow(name, network);
      }
      return () => leave(name, network, one);
    },
    waitOf(name) {
      const network = networks.get(name);
      if (network === undefined) return leastMs;
      const { nextAt, waiting } = network;
      return Math.max(leastMs, nextAt - clock.now() + waiting.size * everyMs);
    },
  };
}
