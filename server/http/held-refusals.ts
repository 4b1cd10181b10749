import type { Clock } from '../lib/clock.ts';

/**
 * Refusals within a second, of one network and of all, after which the next are held back until `HOLD_MS` after their
 * requests came in, and the most that are held.
 */
const NETWORK_AT_ONCE = 10;
const ALL_AT_ONCE = 100;
const HOLD_MS = 850;
const MAX_HELD = 2_000;

/**
 * A refusal of a network that is refused often is held for at least this share of `HOLD_MS`, and each for another time:
 * otherwise all connections of a loop would ask again at the same moment.
 */
const LEAST_HELD = 0.5;

/** Chooses those times: what its multiples have behind the decimal point is spread evenly between 0 and 1. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/** Those whose time has come go together every so many milliseconds: a timer for each would cost as much as its refusal. */
const TICK_MS = 20;

/**
 * Holds a flood of refusals back for less than a second: clients that ask again at once then cost little, and the
 * processor is left to those who are answered.
 */
export interface HeldRefusals {
  /** Sends at once, or a little later while the network or all are refused often. `since`: when the request came in. */
  hold(network: string, since: number, send: () => void): void;
}

interface Held {
  /** By the clock. */
  until: number;
  send: () => void;
}

/** With the most held, the one that is held the longest goes first: a larger flood is held more briefly. */
export function heldRefusals(clock: Clock): HeldRefusals {
  let second = { startedAt: clock.now(), all: 0, ofNetworks: new Map<string, number>() };
  /** The longest held is first. */
  const held = new Set<Held>();
  let isTicking = false;
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

  function release(one: Held): void {
    held.delete(one);
    one.send();
  }

  function tick(): void {
    isTicking = held.size > 0;
    if (isTicking) clock.after(TICK_MS, tick);
    const soon = clock.now() + TICK_MS / 2;
    for (const one of held) if (one.until <= soon) release(one);
  }

  return {
    hold(network, since, send) {
      const until = since + heldFor(network);
      if (until <= clock.now()) {
        send();
        return;
      }
      const [longest] = held;
      if (longest !== undefined && held.size >= MAX_HELD) release(longest);
      held.add({ until, send });
      if (isTicking) return;
      isTicking = true;
      clock.after(TICK_MS, tick);
    },
  };
}
