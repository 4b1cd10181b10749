import type { Clock } from '../lib/clock.ts';

/**
 * Refusals within a second, of one network and of all, after which the next are held back until `HOLD_MS` after their
 * requests came in, and the most that are held.
 */
const NETWORK_AT_ONCE = 10;
const ALL_AT_ONCE = 100;
const HOLD_MS = 850;
const MAX_HELD = 2_000;

/** Milliseconds for which a refusal is held at least, where others go at each later moment. */
const LEAST_HELD_MS = 200;

/**
 * Those whose time has come go together every so many milliseconds: a timer for each would cost as much as its refusal,
 * and many at once would keep everybody else waiting, because their clients ask again at once.
 */
const TICK_MS = 5;

/** The ticks that a refusal may go at. */
const TICKS = Math.floor((HOLD_MS - LEAST_HELD_MS) / TICK_MS);

/**
 * Holds a flood of refusals back for less than a second: clients that ask again at once then cost little, and the
 * processor is left to those who are answered.
 */
export interface HeldRefusals {
  /** Sends at once, or a little later while the network or all are refused often. `since`: when the request came in. */
  hold(network: string, since: number, send: () => void): void;
}

/**
 * Each refusal is held for as long as it may be, but goes before others if as many as on average go later already: clients
 * that have asked together, as a loop of thousands of connections does when it begins, would otherwise ask again together,
 * and all of the processor would be theirs in every such moment. With the most held, the one whose time comes first goes:
 * a larger flood is held more briefly.
 */
export function heldRefusals(clock: Clock): HeldRefusals {
  let second = { startedAt: clock.now(), all: 0, ofNetworks: new Map<string, number>() };
  /** What is sent at each tick, by its number. */
  const ticks = new Map<number, (() => void)[]>();
  /** The first tick at which something may be sent. */
  let next = 0;
  let held = 0;
  let isTicking = false;

  /** Whether a network's next refusal is held. */
  function isHeld(network: string): boolean {
    const now = clock.now();
    if (now - second.startedAt > 1_000) second = { startedAt: now, all: 0, ofNetworks: new Map() };
    const ofNetwork = (second.ofNetworks.get(network) ?? 0) + 1;
    second.ofNetworks.set(network, ofNetwork);
    second.all += 1;
    return ofNetwork > NETWORK_AT_ONCE || second.all > ALL_AT_ONCE;
  }

  /** The tick of a refusal that may go at this one at the latest: the latest with no more than its share. */
  function evenTick(latest: number): number {
    const share = Math.floor(held / TICKS);
    for (let nth = latest; nth > latest - TICKS; nth -= 1) {
      if ((ticks.get(nth)?.length ?? 0) <= share) return nth;
    }
    return latest;
  }

  function add(until: number, send: () => void): void {
    const nth = evenTick(Math.floor(until / TICK_MS));
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
      const until = since + HOLD_MS;
      if (!isHeld(network) || until <= clock.now()) {
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
