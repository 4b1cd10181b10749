import { LRUCache } from 'lru-cache';
import { clientOf } from '../lib/ip-address.ts';

const MAX_CLIENTS = 50_000;

/** A per-minute limit on one kind of request, such as webhooks with a wrong signature. */
export interface RequestAllowance {
  /** Counts a request. Returns 0, or the seconds to wait if the client has used up its allowance. */
  take(address: string): number;
  /** The seconds until the client may send a request. Counts nothing. */
  wait(address: string): number;
}

/** A token bucket per client. `now` is in monotonic milliseconds. */
export function requestAllowance(perMinute: number, now: () => number): RequestAllowance {
  const buckets = new LRUCache<string, { left: number; at: number }>({ max: MAX_CLIENTS });

  function leftOf(client: string): number {
    const { left, at } = buckets.get(client) ?? { left: perMinute, at: now() };
    return Math.min(perMinute, left + ((now() - at) * perMinute) / 60_000);
  }
  const secondsUntilOne = (left: number) => (left >= 1 ? 0 : Math.ceil(((1 - left) * 60) / perMinute));

  return {
    take(address) {
      const client = clientOf(address);
      const left = leftOf(client);
      if (left >= 1) buckets.set(client, { left: left - 1, at: now() });
      return secondsUntilOne(left);
    },
    wait: (address) => secondsUntilOne(leftOf(clientOf(address))),
  };
}
