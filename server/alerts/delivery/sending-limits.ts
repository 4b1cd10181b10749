import { addDays } from '../../../domain/calendar-date.ts';
import { londonClock, londonInstant } from '../../../domain/london-time.ts';
import type { AlertSession } from '../tables/alert-store.ts';
import type { Channel } from '../tables/contacts.ts';
import { raiseNotice } from '../tables/notices.ts';
import { readPause } from './pauses.ts';
import { priceOf, type SendContext } from './send-context.ts';

const A_SECOND_MS = 1_000;

export async function earliestSend(context: SendContext, now: number): Promise<number> {
  return Math.max(await afterPause(context, now), await afterSecond(context, now));
}

/** When a person may get a message. Ignores attempts too far in the future: a clock has been set back since. */
export async function earliestSendTo(
  { store, limits }: SendContext,
  contact: number,
  now: number,
): Promise<number> {
  const row = await store.sql.get`select not_before,
      (select max(started_at) from alert_message
        where contact = ${contact} and started_at <= ${now + limits.numberEveryMs}) as last
    from alert_contact where id = ${contact}`;
  const last = row?.last;
  const next = typeof last === 'number' ? last + limits.numberEveryMs : now;
  return Math.max(now, next, Number(row?.not_before));
}

async function afterPause({ store, provider }: SendContext, now: number): Promise<number> {
  const { until, isProbing, heldUntil } = await readPause(store, provider.channel);
  if (heldUntil !== null && heldUntil > now) return heldUntil;
  if (until > now) return until;
  if (!isProbing) return now;
  // One call tests the provider while the others wait. Calls started before the pause do not count.
  const probe = await store.sql
    .get`select 1 from alert_message where channel = ${provider.channel} and state = 'sending'
    and started_at >= ${until} and lease_until > ${now} limit 1`;
  return probe === undefined ? now : now + A_SECOND_MS / 10;
}

/**
 * Applies the limit per second. Counts attempts up to a second ahead, because servers' clocks differ a
 * little. An attempt further ahead shows that the clock was set back: it and earlier attempts do not count.
 */
async function afterSecond({ store, provider, limits }: SendContext, now: number): Promise<number> {
  const { channel } = provider;
  const [since, until] = [now - A_SECOND_MS, now + A_SECOND_MS];
  const row = await store.sql.get`select count(*) as count, min(started_at) as first from alert_message
    where channel = ${channel} and started_at > ${since} and started_at <= ${until}
      and attempt > coalesce((select attempt from alert_message where channel = ${channel} and started_at > ${until}
        order by started_at desc limit 1), 0)`;
  return Number(row?.count) < limits.perSecond ? now : Number(row?.first) + A_SECOND_MS;
}

/** The earliest instant at which the channel's daily limits allow a message. Replies do not count. */
export async function earliestInBudget(
  { store, provider, limits }: SendContext,
  now: number,
): Promise<number> {
  const { messagesPerDay, pencePerDay } = limits;
  if (messagesPerDay === 0 && pencePerDay === 0) return now;
  const { day } = londonClock(now);
  const sent = await store.sql.all<{ category: string; count: number }>`select category, count from alert_sent
    where day = ${day} and channel = ${provider.channel}`;
  const count = sent.reduce((sum, row) => sum + row.count, 0);
  const pence = sent.reduce((sum, row) => sum + row.count * priceOf(limits, row.category), 0);
  const isFull = messagesPerDay > 0 && count >= messagesPerDay;
  // A budget below the price of a message still allows one.
  const next = limits.pencePerMessage;
  const isSpent = pencePerDay > 0 && next > 0 && count > 0 && pence + next > pencePerDay;
  if (!isFull && !isSpent) return now;
  const text = `Daily limit reached after ${count} messages. The rest are sent tomorrow. To send more per day, raise ALERT_DAILY_MESSAGES or ALERT_DAILY_POUNDS.`;
  await raiseNotice(store, 'daily cap', text, now);
  return londonInstant(addDays(day, 1), 0);
}

/** A message that counts against the daily limits of its channel; replies do not. */
interface CountedMessage {
  kind: string;
  channel: Channel;
  started_at: number;
}

/** Adds to the day's count of messages of a category: 1 for a call, -1 for a refused one. */
export async function countSent(
  { sql }: AlertSession,
  { kind, channel, started_at }: CountedMessage,
  category: string,
  change: 1 | -1,
): Promise<void> {
  if (kind === 'reply') return;
  const { day } = londonClock(started_at);
  await sql.run`insert into alert_sent (day, channel, category, count) values (${day}, ${channel}, ${category}, ${change})
    on conflict (day, channel, category) do update set count = alert_sent.count + excluded.count`;
}
