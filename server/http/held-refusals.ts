import type { Clock } from '../lib/clock.ts';

/**
 * Refusals within a second, of one network and of all, after which the next are held back until `HOLD_MS` after their
 * requests came in, and the most that are held.
 */
const NETWORK_AT_ONCE = 10;
const ALL_AT_ONCE = 100;
const HOLD_MS = 800;
const MAX_HELD = 2_000;

/**
 * Refusals of one network are held for this share of it at least, each for another time: otherwise all connections of a
 * loop would ask again at the same moment.
 */
const LEAST_HELD = 0.5;

/** The fractions of its multiples are spread evenly. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/**
 * Holds a flood of refusals back for less than a second: clients that ask again at once then cost little, and the
 * processor is left to those who are answered.
 */
export interface HeldRefusals {
  /** Resolves at once, or a little later while the network or all are refused often. `since`: when the request came in. */
  hold(network: string, since: number): Promise<void> | undefined;
  /** How many are held now. */
  held(): number;
}

/** With the most held, the one that is held the longest goes first: a larger flood is held more briefly. */
export function heldRefusals(clock: Clock): HeldRefusals {
  let second = { startedAt: clock.now(), all: 0, ofNetworks: new Map<string, number>() };
  const held = new Set<() => void>();
  let turn = 0;

  /** Milliseconds after its arrival at which a request may be refused. */
  function heldFor(network: string): number {
    const now = clock.now();
    if (now - second.startedAt > 1_000) second = { startedAt: now, all: 0, ofNetworks: new Map() };
    const ofNetwork = (second.ofNetworks.get(network) ?? 0) + 1;
    second.ofNetworks.set(network, ofNetwork);
    second.all += 1;
    if (second.all > ALL_AT_ONCE) return HOLD_MS;
    if (ofNetwork <= NETWORK_AT_ONCE) return 0;
    turn = (turn + GOLDEN_RATIO) % 1;
    return HOLD_MS * (LEAST_HELD + (1 - LEAST_HELD) * turn);
  }

  return {
    hold(network, since) {
      const ms = since + heldFor(network) - clock.now();
      if (ms <= 0) return undefined;
      const [longest] = held;
      if (longest !== undefined && held.size >= MAX_HELD) longest();
      return new Promise((resolve) => {
        const release = () => {
          stopTimer();
          held.delete(release);
          resolve();
        };
        const stopTimer = clock.after(ms, release);
        held.add(release);
      });
    },
    held: () => held.size,
  };
}
