import { networkOf } from '../../lib/ip-address.ts';
import type { SignUpLimits } from '../alerts-config.ts';
import type { AlertStore } from '../records/alert-store.ts';

const AN_HOUR_MS = 60 * 60 * 1000;
const A_DAY_MS = 24 * AN_HOUR_MS;

/** Counts a sign-up by the address that it came from; false where that address has had its share of the hour. */
export function countAddress(store: AlertStore, limits: SignUpLimits, address: string, now: number): boolean {
  return count(store, store.keys.hash('address', networkOf(address)), AN_HOUR_MS, limits.addressPerHour, now);
}

/** The same by number, and by the thousand numbers around it, which somebody may be going through. */
export function countNumber(store: AlertStore, limits: SignUpLimits, number: string, now: number): boolean {
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
