import { clientNetworks } from '../../lib/ip-address.ts';
import type { AlertStore } from '../records/alert-store.ts';
import { countInWindow } from '../records/count-in-window.ts';

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
      countInWindow(
        store,
        store.keys.hash('address', network),
        AN_HOUR_MS,
        limits.addressPerHour * clients,
        now,
      ),
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
    countInWindow(store, store.keys.hash('number', number), A_DAY_MS, limits.numberPerDay, now) &&
    countInWindow(store, block, AN_HOUR_MS, limits.blockPerHour, now)
  );
}
