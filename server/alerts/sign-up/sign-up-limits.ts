import { clientRanges } from '../../lib/ip-address.ts';
import type { AlertSession } from '../tables/alert-store.ts';
import { type CountLimit, countInWindow } from '../tables/count-in-window.ts';
import type { SignUpContact } from './read-contact.ts';

/** The most sign-ups; 0 means no limit. */
export interface SignUpLimits {
  addressPerHour: number;
  /** Per number, email address or browser. */
  numberPerDay: number;
  /** A block is a thousand numbers that differ in their last three digits. */
  blockPerHour: number;
}

const AN_HOUR_MS = 60 * 60 * 1000;
const A_DAY_MS = 24 * AN_HOUR_MS;

/** Counts a sign-up for its client's address ranges; returns false if one exceeds its hourly limit. */
export async function countSignUpFromAddress(
  store: AlertSession,
  limits: SignUpLimits,
  address: string,
  now: number,
): Promise<boolean> {
  const counted = await Promise.all(
    clientRanges(address).map(async ({ range, clients }) => {
      const key = store.keys.keyFor('address', range);
      return countInWindow(store, { key, windowMs: AN_HOUR_MS, max: limits.addressPerHour * clients }, now);
    }),
  );
  return counted.every((isWithin) => isWithin);
}

/** The limits for a contact. A block of numbers has one too, because a script may try all numbers in it. */
export function contactLimits(
  store: AlertSession,
  limits: SignUpLimits,
  { channel, address, limitKey }: SignUpContact,
): CountLimit[] {
  const own = { key: limitKey, windowMs: A_DAY_MS, max: limits.numberPerDay };
  if (channel !== 'whatsapp') return [own];
  const block = store.keys.keyFor('block', address.slice(0, -3));
  return [own, { key: block, windowMs: AN_HOUR_MS, max: limits.blockPerHour }];
}
