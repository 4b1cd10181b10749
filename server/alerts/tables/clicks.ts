import { londonClock } from '../../../domain/london-time.ts';
import type { AlertStore } from './alert-store.ts';

/** Counts a click on a link in a message, by London day and anonymously. */
export function recordClick({ sql }: AlertStore, now: number): void {
  const { day } = londonClock(now);
  sql.run`insert into alert_click_day (day, count) values (${day}, 1)
    on conflict (day) do update set count = alert_click_day.count + 1`;
}

export function countClicks({ sql }: AlertStore): number {
  return Number(sql.get`select coalesce(sum(count), 0) as count from alert_click_day`?.count);
}
