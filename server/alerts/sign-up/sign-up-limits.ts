import { clientNetworks } from '../../lib/ip-address.ts';
import type { AlertStore } from '../records/alert-store.ts';
import { countInWindow } from '../records/count-in-window.ts';
import type { SignUpContact } from './read-contact.ts';

/** The most sign-ups accepted; 0 is no limit. */
export interface SignUpLimits {
  addressPerHour: number;
  /** Of a number, an email inbox or a browser. */
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

/** The same by contact, and by a number's block, because a script may try all numbers of one. */
export function countSignUpFor(
  store: AlertStore,
  limits: SignUpLimits,
  { channel, address, limitKey }: SignUpContact,
  now: number,
): boolean {
  if (!countInWindow(store, limitKey, A_DAY_MS, limits.numberPerDay, now)) return false;
  if (channel !== 'whatsapp') return true;
  const block = store.keys.hash('block', address.slice(0, -3));
  return countInWindow(store, block, AN_HOUR_MS, limits.blockPerHour, now);
}
