import type { Socket } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import { type Tally, tally } from '../lib/tally.ts';

/** Refusals within a second, of one network and of all, after which the next are held back. */
const NETWORK_AT_ONCE = 10;
const ALL_AT_ONCE = 100;

/** Milliseconds after its request came in at which a refusal goes at the latest, unless its network has hundreds coming. */
const HOLD_MS = 850;

/**
 * Refusals a second that a network is given for its own doing, and milliseconds for which they are held for that reason at
 * the most. A network of thousands of connections would otherwise keep others waiting by being refused.
 */
const NETWORK_PER_SECOND = 600;
const LONGEST_MS = 5_000;

/**
 * Those whose time has come go together every so many milliseconds: a timer for each would cost as much as its refusal,
 * and many at once would keep everybody else waiting, because their clients ask again at once.
 */
const TICK_MS = 5;

/** Ticks by which a refusal may go before its latest one. */
const EARLIER_TICKS = 650 / TICK_MS;

export interface RefusalToHold {
  network: string;
  /** The connection of its request. */
  socket: Socket;
  /** When the request came in, by the clock. */
  since: number;
  /** Its network is refused for its own doing, and not for the load that all make. */
  isOwnFault: boolean;
}

/**
 * Holds a flood of refusals back: clients that ask again at once then cost little, and the processor is left to those who
 * are answered.
 */
export interface HeldRefusals {
  /**
   * Sends at once, or later while the network or all are refused often: within 0.85 seconds of the request, or 5 if its
   * network alone has more than 500 such refusals coming. Returns the function that gives it up, to be called if the
   * client is gone.
   */
  hold(refusal: RefusalToHold, send: () => void): () => void;
  /**
   * Holds a connection back before its request is read, as a refusal for its network's own doing. The refusal of that
   * request then goes at once. Returns the function that gives it up.
   */
  holdUnread(refusal: Omit<RefusalToHold, 'isOwnFault'>, read: () => void): () => void;
  /** Sends all that is held, and holds nothing from now on. */
  end(): void;
}

interface Held {
  network: string;
  tick: number;
  send(): void;
  /** It has been sent or given up. */
  isGone: boolean;
}

/**
 * Each refusal is held for as long as it may be, but goes earlier where fewer go: clients that have asked together, as a
 * loop of thousands of connections does when it begins, would otherwise ask again together, and all of the processor would
 * be theirs in every such moment. A connection has one that is held at most, so the limit of connections bounds them.
 */
export function heldRefusals(clock: Clock, heldBack: Tally = tally()): HeldRefusals {
  let second = { startedAt: clock.now(), all: 0, ofNetworks: new Map<string, number>() };
  const ticks = new Map<number, Set<Held>>();
  /** The first tick at which something may be sent. */
  let next = 0;
  let held = 0;
  /** The connections that have been held before their request was read. */
  const hasWaited = new WeakSet<Socket>();
  let isTicking = false;
  let hasEnded = false;

  /** Whether a network's next refusal is held. */
  function isOften(network: string): boolean {
    const now = clock.now();
    if (now - second.startedAt > 1_000) second = { startedAt: now, all: 0, ofNetworks: new Map() };
    const ofNetwork = (second.ofNetworks.get(network) ?? 0) + 1;
    second.ofNetworks.set(network, ofNetwork);
    second.all += 1;
    return ofNetwork > NETWORK_AT_ONCE || second.all > ALL_AT_ONCE;
  }

  /** Milliseconds after its request at which a refusal goes at the latest. */
  function longest({ network, isOwnFault }: Omit<RefusalToHold, 'socket'>): number {
    if (!isOwnFault) return HOLD_MS;
    const forAll = (heldBack.of(network) / NETWORK_PER_SECOND) * 1_000;
    return Math.min(LONGEST_MS, Math.max(HOLD_MS, forAll));
  }

  /** Of the ticks up to this one, the latest of those at which the fewest go. */
  function emptiestTick(latest: number): number {
    let [emptiest, fewest] = [latest, Number.POSITIVE_INFINITY];
    for (let tick = latest; tick > latest - EARLIER_TICKS && fewest > 0; tick -= 1) {
      const size = ticks.get(tick)?.size ?? 0;
      if (size < fewest) [emptiest, fewest] = [tick, size];
    }
    return emptiest;
  }

  function add(network: string, tick: number, send: () => void): Held {
    const one = { network, tick, send, isGone: false };
    const together = ticks.get(tick);
    if (together === undefined) ticks.set(tick, new Set([one]));
    else together.add(one);
    next = held === 0 ? tick : Math.min(next, tick);
    held += 1;
    heldBack.add(network);
    return one;
  }

  /** False: it has gone before. */
  function forget(one: Held): boolean {
    if (one.isGone) return false;
    one.isGone = true;
    held -= 1;
    heldBack.takeOff(one.network);
    return true;
  }

  function giveUp(one: Held): void {
    if (!forget(one)) return;
    const together = ticks.get(one.tick);
    together?.delete(one);
    if (together?.size === 0) ticks.delete(one.tick);
  }

  function release(tick: number): void {
    const together = ticks.get(tick);
    ticks.delete(tick);
    for (const one of together ?? []) if (forget(one)) one.send();
  }

  function tick(): void {
    const now = clock.now() + TICK_MS / 2;
    while (held > 0 && next * TICK_MS <= now) {
      const due = next;
      // What follows from a refusal may be held at once, and the next tick be another.
      next += 1;
      release(due);
    }
    isTicking = held > 0;
    if (isTicking) clock.after(TICK_MS, tick);
  }

  function hold(refusal: Omit<RefusalToHold, 'socket'>, send: () => void): () => void {
    const until = refusal.since + longest(refusal);
    if (hasEnded || !isOften(refusal.network) || until <= clock.now()) {
      send();
      return () => {};
    }
    const one = add(refusal.network, emptiestTick(Math.floor(until / TICK_MS)), send);
    if (!isTicking) {
      isTicking = true;
      clock.after(TICK_MS, tick);
    }
    return () => giveUp(one);
  }

  return {
    hold(refusal, send) {
      if (!hasWaited.delete(refusal.socket)) return hold(refusal, send);
      send();
      return () => {};
    },
    holdUnread: ({ network, socket, since }, read) =>
      hold({ network, since, isOwnFault: true }, () => {
        hasWaited.add(socket);
        read();
      }),
    end() {
      hasEnded = true;
      for (const each of ticks.keys()) release(each);
    },
  };
}
