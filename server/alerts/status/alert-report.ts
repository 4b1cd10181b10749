import { londonClock } from '../../../domain/london-time.ts';
import { priceOf, type SendingPrices } from '../delivery/send-context.ts';
import type { AlertSession } from '../tables/alert-store.ts';

/** Counts of the stored messages and consents; see docs/alerts.md. */
export async function alertReport(store: AlertSession, prices: SendingPrices) {
  const { sql } = store;
  const messages = await sql.all<{ template: string; state: string; error: string | null; count: number }>`
    select kind as template, state, reason as error, count(*) as count from alert_message
    group by kind, state, reason order by kind, state, reason`;
  const counted = (row: Record<string, unknown> | undefined) => Number(row?.count ?? 0);
  const numbers = async (act: string) =>
    counted(await sql.get`select count(distinct contact_key) as count from alert_consent where act = ${act}`);
  const drops = (...states: string[]) =>
    messages
      .filter(({ template, state }) => template === 'drop' && states.includes(state))
      .reduce((sum, { count }) => sum + count, 0);
  return {
    messages,
    /** Messages sent and their cost in pence, by London day, newest first. */
    days: await sentByDay(sql, prices),
    /** Templates of which the provider bills some messages as marketing. */
    marketingTemplates: await marketingTemplates(store),
    /** Fractions; null where there is nothing to divide by. */
    rates: {
      /** Numbers that replied YES, as a share of those asked. */
      optIn: share(await numbers('confirmed'), await numbers('signed up')),
      /** Price drops that were read, as a share of those delivered. Some phones do not report reading. */
      read: share(drops('read'), drops('delivered', 'read')),
      /** Numbers that stopped, as a share of those that signed up. */
      stop: share(await numbers('stopped'), await numbers('signed up')),
    },
  };
}

/** Messages that were refused or failed cost nothing. The price follows the category in the message's status. */
async function sentByDay(sql: AlertSession['sql'], prices: SendingPrices) {
  const days = new Map<string, { sent: number; pence: number }>();
  // Grouped by hour in the store, because each hour belongs to one London day.
  const hours = await sql.all<{ hour: number; category: string | null; count: number }>`
    select started_at / 3600000 as hour, category, count(*) as count from alert_message
    where state in ('unknown', 'accepted', 'delivered', 'read') group by started_at / 3600000, category`;
  for (const { hour, category, count } of hours) {
    const { day } = londonClock(hour * 3_600_000);
    const { sent, pence } = days.get(day) ?? { sent: 0, pence: 0 };
    days.set(day, { sent: sent + count, pence: pence + count * priceOf(prices, category ?? '') });
  }
  return [...days]
    .toSorted(([one], [other]) => (one < other ? 1 : -1))
    .map(([day, counted]) => ({ day, ...counted }));
}

async function marketingTemplates({ sql }: AlertSession): Promise<string[]> {
  const kinds = await sql.all<{
    kind: string;
  }>`select distinct kind from alert_message where category = 'marketing'
    order by kind`;
  return kinds.map(({ kind }) => kind);
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
