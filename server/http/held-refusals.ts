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
const LEAST_HELD = 0.8;

/** Chooses those times: what its multiples have behind the decimal point is spread evenly between 0 and 1. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/**
 * Those whose time has come go together every so many milliseconds: a timer for each would cost as much as its refusal,
 * and many at once would keep everybody else waiting, because their clients ask again at once.
 */
const TICK_MS = 5;

/**
 * Holds a flood of refusals back for less than a second: clients that ask again at once then cost little, and the
 * processor is left to those who are answered.
 */
export interface HeldRefusals {
  /** Sends at once, or a little later while the network or all are refused often. `since`: when the request came in. */
  hold(network: string, since: number, send: () => void): void;
}

/** With the most held, the one whose time comes first goes: a larger flood is held more briefly. */
export function heldRefusals(clock: Clock): HeldRefusals {
  let second = { startedAt: clock.now(), all: 0, ofNetworks: new Map<string, number>() };
  /** What is sent at each tick, by its number. */
  const ticks = new Map<number, (() => void)[]>();
  /** The first tick at which something may be sent. */
  let next = 0;
  let held = 0;
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

  function add(until: number, send: () => void): void {
    const nth = Math.round(until / TICK_MS);
    const sends = ticks.get(nth);
    if (sends === undefined) ticks.set(nth, [send]);
    else sends.push(send);
    next = held === 0 ? nth : Math.min(next, nth);
    held += 1;
  }

  /** Sends what is held for the first tick: all of it, or the first so many. */
  function release(most = Number.POSITIVE_INFINITY): void {
    const sends = ticks.get(next) ?? [];
    const due = sends.splice(0, most);
    if (sends.length === 0) {
      ticks.delete(next);
      next += 1;
    }
    held -= due.length;
    for (const send of due) send();
  }

  function tick(): void {
    const now = clock.now() + TICK_MS / 2;
    while (held > 0 && next * TICK_MS <= now) release();
    isTicking = held > 0;
    if (isTicking) clock.after(TICK_MS, tick);
  }

  return {
    hold(network, since, send) {
      const until = since + heldFor(network);
      if (until <= clock.now()) {
        send();
        return;
      }
      add(until, send);
      while (held > MAX_HELD) release(1);
      if (isTicking) return;
      isTicking = true;
      clock.after(TICK_MS, tick);
    },
  };
}
