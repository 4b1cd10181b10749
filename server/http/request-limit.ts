import type { Clock } from '../lib/clock.ts';
import { clientNetworks, networkOf } from '../lib/ip-address.ts';
import { type Tally, tally } from '../lib/tally.ts';
import { type PacedTurns, pacedTurns } from './paced-turns.ts';
import { isHealthCheck, isStopLink, isUnlimited, worksOnStore } from './route-kinds.ts';

/**
 * Pages, lists, settings and addresses without a route cost the processor alone. A network may send so many
 * times as many of them, in bursts of three seconds' worth: a longer burst would slow everybody else's searches.
 */
const OTHERS = 5;
const OTHERS_BURST = 0.05;
const LEAST_BURST = 10;

/**
 * Milliseconds after which health checks beyond the limit are answered at the earliest, and between two of them of one
 * network: they are not refused, but thousands of connections that each ask again would take the processor.
 */
const HEALTH_HELD_MS = 800;
const HEALTH_EVERY_MS = 10;

/**
 * Milliseconds between two stops of one network beyond the limit, and how many may come at once before. They are not
 * refused: mail companies post the clicks of all their users from a few addresses. A loop of them would take the processor.
 */
const STOP_EVERY_MS = 10;
const STOPS_AT_ONCE = 100;

/** Milliseconds between two turns of a crowded network, at most. */
const CROWD_EVERY_MS = 50;

/** Milliseconds that a request may have to wait for such a turn. Beyond that it is refused. */
const LONGEST_WAIT_MS = 2_000;

/** Networks that are tracked. Beyond that, the least recently active one is dropped. */
const MAX_NETWORKS = 50_000;

/**
 * The largest burst of a network of several clients, unless one client's own is larger. All of them may be one client, and
 * 4,800 requests at once slow everybody else's searches.
 */
const SHARED_BURST = 300;

/**
 * As many times as one client a network of several may send. Twice, a loop of fifteen kinds of requests from 64 networks of
 * a /48 makes others' searches 1.2 to 1.9 times as slow; four times, it was 1.4 to 2.2.
 */
const SHARED_RATE = 2;

export interface RequestAllowance {
  /** Takes one request from an address's allowance. Returns 0, or the seconds to wait if the allowance is used up. */
  take(address: string): number;
  /** The seconds until `take` would return 0. Takes nothing. */
  wait(address: string): number;
}

interface Bucket {
  network: string;
  /** Per minute. */
  rate: number;
  left: number;
}

/**
 * Token buckets for the networks of an address: they refill steadily to `burst`, by default a minute's worth, so that a
 * burst passes and a flood does not. `now` is in milliseconds of a monotonic clock.
 */
export function requestAllowance(
  perMinute: number,
  now: () => number,
  burst: number = perMinute,
): RequestAllowance {
  const held = new Map<string, { left: number; at: number }>();

  function bucketsOf(address: string, at: number): Bucket[] {
    return clientNetworks(address).map(({ network, clients }) => {
      const times = Math.min(clients, SHARED_RATE);
      const most = Math.min(burst * times, Math.max(burst, SHARED_BURST));
      const rate = perMinute * times;
      const before = held.get(network) ?? { left: most, at };
      const refilled = before.left + (Math.max(0, at - before.at) * rate) / 60_000;
      return { network, rate, left: Math.min(most, refilled) };
    });
  }
  function keep({ network, left }: Bucket, at: number): void {
    held.delete(network);
    held.set(network, { left, at });
    if (held.size <= MAX_NETWORKS) return;
    const [leastRecent] = held.keys();
    if (leastRecent !== undefined) held.delete(leastRecent);
  }

  return {
    take(address) {
      const at = now();
      const buckets = bucketsOf(address, at);
      const seconds = secondsToWait(buckets);
      for (const bucket of buckets) keep(seconds === 0 ? { ...bucket, left: bucket.left - 1 } : bucket, at);
      return seconds;
    },
    wait: (address) => secondsToWait(bucketsOf(address, now())),
  };
}

function secondsToWait(buckets: readonly Bucket[]): number {
  return Math.max(
    ...buckets.map(({ left, rate }) => (left >= 1 ? 0 : Math.max(1, Math.ceil(((1 - left) * 60) / rate)))),
  );
}

/**
 * Whether an address may open another connection: as many as it may send requests of every kind. 0 a minute: it always may.
 */
export function connectionLimit(perMinute: number, now: () => number): (address: string) => boolean {
  if (perMinute === 0) return () => true;
  const allowed = requestAllowance(perMinute * (1 + OTHERS), now);
  return (address) => allowed.take(address) === 0;
}

/**
 * How a request stands in its network's allowance: within it, to be answered in the network's turn, or refused for some
 * seconds. `wait` calls `go` in that turn, and returns the function that gives it up.
 */
export type LimitVerdict =
  | { kind: 'within' }
  | { kind: 'later'; wait: (go: () => void) => () => void }
  | { kind: 'refused'; seconds: number };

const WITHIN: LimitVerdict = { kind: 'within' };

export interface LimitedRequest {
  route: string | null;
  address: string;
  /** It comes from this machine, not through a proxy, and is exempt. */
  isLocal: boolean;
  /** Its network has as many requests open as may begin at once. */
  isCrowded: boolean;
}

/** Takes a request from its network's allowance. */
export type RequestLimit = (request: LimitedRequest) => LimitVerdict;

/**
 * `perMinute` 0: no limit. By a monotonic clock: a wall clock that is set back would lock visitors out. `heldBack` counts the
 * requests that wait for their turn, by their networks. While it counts many of a network, or the network has several open,
 * those within the allowance take turns too, as fast as an address's allowance refills: hundreds of connections that ask
 * together would otherwise all get in at once. They are refused when so many wait that it would take too long.
 */
export function requestLimit(perMinute: number, clock: Clock, heldBack: Tally = tally()): RequestLimit {
  if (perMinute === 0) return () => WITHIN;
  const { now } = clock;
  const limited = requestAllowance(perMinute, now);
  const ofOthers = perMinute * OTHERS;
  const others = requestAllowance(ofOthers, now, Math.max(LEAST_BURST, ofOthers * OTHERS_BURST));
  const healthTurns = pacedTurns(clock, { everyMs: HEALTH_EVERY_MS, leastMs: HEALTH_HELD_MS }, heldBack);
  const stops = requestAllowance(perMinute, now, STOPS_AT_ONCE);
  const stopTurns = pacedTurns(clock, { everyMs: STOP_EVERY_MS, leastMs: 0 }, heldBack);
  const turnsAt = (rate: number) =>
    pacedTurns(clock, { everyMs: Math.min(CROWD_EVERY_MS, 60_000 / rate), leastMs: 0 }, heldBack);
  const limitedTurns = turnsAt(perMinute);
  const otherTurns = turnsAt(ofOthers);
  const inTurn = (turns: PacedTurns, network: string): LimitVerdict => ({
    kind: 'later',
    wait: (go) => turns.wait(network, go),
  });
  return ({ route, address, isLocal, isCrowded }) => {
    if (isLocal || isUnlimited(route)) return WITHIN;
    const network = networkOf(address);
    if (isStopLink(route)) return stops.take(address) === 0 ? WITHIN : inTurn(stopTurns, network);
    const [allowed, turns] = worksOnStore(route) ? [limited, limitedTurns] : [others, otherTurns];
    const seconds = allowed.take(address);
    if (isHealthCheck(route)) return seconds === 0 ? WITHIN : inTurn(healthTurns, network);
    if (seconds > 0) return { kind: 'refused', seconds };
    if (!isCrowded && !heldBack.isMany(network)) return WITHIN;
    return turns.waitOf(network) > LONGEST_WAIT_MS
      ? { kind: 'refused', seconds: LONGEST_WAIT_MS / 1_000 }
      : inTurn(turns, network);
  };
}
