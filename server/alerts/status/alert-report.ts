import { londonClock } from '../../../domain/london-time.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { countClicks } from '../tables/clicks.ts';

/** Counts of the stored messages and consents; see docs/alerts.md. */
export function alertReport(store: AlertStore, pencePerMessage: number) {
  const { sql } = store;
  const messages = sql.all<{ template: string; state: string; error: string | null; count: number }>`
    select kind as template, state, reason as error, count(*) as count from alert_message
    group by kind, state, reason order by kind, state, reason`;
  const counted = (row: Record<string, unknown> | undefined) => Number(row?.count ?? 0);
  const numbers = (act: string) =>
    counted(sql.get`select count(distinct contact_key) as count from alert_consent where act = ${act}`);
  const drops = (...states: string[]) =>
    messages
      .filter(({ template, state }) => template === 'drop' && states.includes(state))
      .reduce((sum, { count }) => sum + count, 0);
  return {
    messages,
    /** Messages sent and their cost in pence, by London day, newest first. */
    days: sentByDay(sql, pencePerMessage),
    /** Fractions; null where there is nothing to divide by. */
    rates: {
      /** Numbers that replied YES, as a share of those asked. */
      optIn: share(numbers('confirmed'), numbers('signed up')),
      /** Price drops that were read, as a share of those delivered. Some phones do not report reading. */
      read: share(drops('read'), drops('delivered', 'read')),
      /** Clicks on links, per price drop sent. */
      click: share(countClicks(store), drops('accepted', 'delivered', 'read')),
      /** Numbers that stopped, as a share of those that signed up. */
      stop: share(numbers('stopped'), numbers('signed up')),
    },
  };
}

function sentByDay(sql: AlertStore['sql'], pencePerMessage: number) {
  const days = new Map<string, number>();
  // Grouped by hour in the store, because each hour belongs to one London day.
  const hours = sql.all`select started_at / 3600000 as hour, count(*) as count from alert_attempt
    where state not in ('rejected', 'begun') group by started_at / 3600000`;
  for (const { hour, count } of hours) {
    const { day } = londonClock(Number(hour) * 3_600_000);
    days.set(day, (days.get(day) ?? 0) + Number(count));
  }
  return [...days]
    .toSorted(([one], [other]) => (one < other ? 1 : -1))
    .map(([day, sent]) => ({ day, sent, pence: sent * pencePerMessage }));
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
