import { clientNetworks } from '../../lib/ip-address.ts';
import type { AlertStore } from '../records/alert-store.ts';

/** The most sign-ups accepted; 0 is no limit. */
export interface SignUpLimits {
  addressPerHour: number;
  numberPerDay: number;
  /** A block is a thousand numbers that differ in their last three digits. */
  blockPerHour: number;
}

const AN_HOUR_MS = 60 * 60 * 1000;
const A_DAY_MS = 24 * AN_HOUR_MS;

/** Counts a sign-up by the networks of its request's address; false if one of them exceeds its hourly limit. */
export function countSignUpFromAddress(
  store: AlertStore,
  limits: SignUpLimits,
  address: string,
  now: number,
): boolean {
  return clientNetworks(address)
    .map(({ network, clients }) =>
      count(store, store.keys.hash('address', network), AN_HOUR_MS, limits.addressPerHour * clients, now),
    )
    .every((isWithin) => isWithin);
}

/** The same by number, and by its block, because a script may try all numbers of one. */
export function countSignUpForNumber(
  store: AlertStore,
  limits: SignUpLimits,
  number: string,
  now: number,
): boolean {
  const block = store.keys.hash('block', number.slice(0, -3));
  return (
    count(store, store.keys.hash('number', number), A_DAY_MS, limits.numberPerDay, now) &&
    count(store, block, AN_HOUR_MS, limits.blockPerHour, now)
  );
}

function count({ sql }: AlertStore, key: string, windowMs: number, most: number, now: number): boolean {
  const window = Math.floor(now / windowMs);
  const counted = sql.get`insert into alert_sign_up_count (key, "window", ends_at, count)
    values (${key}, ${window}, ${(window + 1) * windowMs}, 1)
    on conflict (key, "window") do update set count = alert_sign_up_count.count + 1 returning count`;
  return most === 0 || Number(counted?.count) <= most;
}
