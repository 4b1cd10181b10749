import { LOCAL_CLIENT } from '../../lib/caller.ts';
import { tokenBuckets } from '../../lib/token-buckets.ts';

/** The cost units that a client may use: per minute, about a tenth of a processor's time. */
export const ALLOWANCE = { perMinute: 120_000, burst: 60_000 };

/** Charges a request to its client. Returns 0, or the seconds until the client can afford it. */
export type Charge = (client: string, units: number) => number;

/** Programs on this machine have no limit. */
export function costAllowance(now: () => number = () => performance.now()): Charge {
  const { take } = tokenBuckets(ALLOWANCE, now);
  return (client, units) => (client === LOCAL_CLIENT ? 0 : take(client, units));
}
