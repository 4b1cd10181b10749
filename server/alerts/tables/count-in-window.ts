import type { AlertSession } from './alert-store.ts';

/** At most `max` events per key and time window; 0 means no limit. */
export interface CountLimit {
  key: string;
  windowMs: number;
  max: number;
}

export async function isWithinLimit(
  { sql }: AlertSession,
  { key, windowMs, max }: CountLimit,
  now: number,
): Promise<boolean> {
  const counted = await sql.get`select count from alert_sign_up_count
    where key = ${key} and "window" = ${Math.floor(now / windowMs)}`;
  return max === 0 || Number(counted?.count ?? 0) < max;
}

/** Counts an event; returns false if it exceeds the limit. */
export async function countInWindow(
  { sql }: AlertSession,
  { key, windowMs, max }: CountLimit,
  now: number,
): Promise<boolean> {
  const window = Math.floor(now / windowMs);
  const counted = await sql.get`insert into alert_sign_up_count (key, "window", ends_at, count)
    values (${key}, ${window}, ${(window + 1) * windowMs}, 1)
    on conflict (key, "window") do update set count = alert_sign_up_count.count + 1 returning count`;
  return max === 0 || Number(counted?.count) <= max;
}
