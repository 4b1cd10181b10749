import { clientOf } from '../lib/ip-address.ts';
import { tokenBuckets } from '../lib/token-buckets.ts';

/** A per-minute limit on one kind of request, such as webhooks with a wrong signature. */
export function requestAllowance(perMinute: number, now: () => number) {
  const { take, wait } = tokenBuckets({ perMinute, burst: perMinute }, now);
  return {
    /** Counts a request. Returns 0, or the seconds to wait if the client has used up its allowance. */
    take: (address: string) => take(clientOf(address)),
    /** The seconds until the client may send a request. Counts nothing. */
    wait: (address: string) => wait(clientOf(address)),
  };
}
