import type { AlertStore } from './alert-store.ts';

/** Whether another event of a key in the current window of time is within `most`. 0 is no limit. */
export function isWithinWindow(
  { sql }: AlertStore,
  key: string,
  windowMs: number,
  most: number,
  now: number,
): boolean {
  const counted = sql.get`select count from alert_sign_up_count
    where key = ${key} and "window" = ${Math.floor(now / windowMs)}`;
  return most === 0 || Number(counted?.count ?? 0) < most;
}

/** Counts an event of a key in the current window of time; false if that is more than `most`. 0 is no limit. */
export function countInWindow(
  { sql }: AlertStore,
  key: string,
  windowMs: number,
  most: number,
  now: number,
): boolean {
  const window = Math.floor(now / windowMs);
  const counted = sql.get`insert into alert_sign_up_count (key, "window", ends_at, count)
    values (${key}, ${window}, ${(window + 1) * windowMs}, 1)
    on conflict (key, "window") do update set count = alert_sign_up_count.count + 1 returning count`;
  return most === 0 || Number(counted?.count) <= most;
}
