import { londonClock } from '../../../domain/london-time.ts';
import type { AlertStore } from './alert-store.ts';

/** Counts openings of links in messages, on their London day. Nothing says by whom. */
export function recordClicks({ sql }: AlertStore, count: number, now: number): void {
  const { day } = londonClock(now);
  sql.run`insert into alert_click_day (day, count) values (${day}, ${count})
    on conflict (day) do update set count = alert_click_day.count + excluded.count`;
}

export function countClicks({ sql }: AlertStore): number {
  return Number(sql.get`select coalesce(sum(count), 0) as count from alert_click_day`?.count);
}
