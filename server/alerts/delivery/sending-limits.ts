import { addDays } from '../../../domain/calendar-date.ts';
import { londonClock, londonInstant } from '../../../domain/london-time.ts';
import { raiseNotice } from '../tables/notices.ts';
import { readCircuit } from './circuit.ts';
import type { SendContext } from './send-context.ts';

const A_SECOND_MS = 1_000;

export function earliestSend(context: SendContext, now: number): number {
  return Math.max(afterCircuit(context, now), afterSecond(context, now));
}

/** When a person may get a message. Ignores attempts too far in the future: a clock has been set back since. */
export function earliestSendTo({ store, limits }: SendContext, contact: number, now: number): number {
  const row = store.sql.get`select not_before,
      (select max(started_at) from alert_attempt
        where contact = ${contact} and started_at <= ${now + limits.numberEveryMs}) as last
    from alert_contact where id = ${contact}`;
  const last = row?.last;
  const next = typeof last === 'number' ? last + limits.numberEveryMs : now;
  return Math.max(now, next, Number(row?.not_before));
}

function afterCircuit({ store, provider }: SendContext, now: number): number {
  const { openUntil, isProbing, heldUntil } = readCircuit(store, provider.channel);
  if (heldUntil !== null && heldUntil > now) return heldUntil;
  if (openUntil > now) return openUntil;
  if (!isProbing) return now;
  // One call tests the provider while the others wait. Calls started before the pause do not count.
  const probe = store.sql
    .get`select 1 from alert_attempt where channel = ${provider.channel} and state = 'begun'
    and started_at >= ${openUntil} and lease_until > ${now} limit 1`;
  return probe === undefined ? now : now + A_SECOND_MS / 10;
}

/**
 * Applies the limit per second. Counts attempts up to a second ahead, because servers' clocks differ a
 * little. An attempt further ahead shows that the clock was set back: it and earlier attempts do not count.
 */
function afterSecond({ store, provider, limits }: SendContext, now: number): number {
  const { channel } = provider;
  const [since, until] = [now - A_SECOND_MS, now + A_SECOND_MS];
  const row = store.sql.get`select count(*) as count, min(started_at) as first from alert_attempt
    where channel = ${channel} and started_at > ${since} and started_at <= ${until}
      and id > coalesce((select id from alert_attempt where channel = ${channel} and started_at > ${until}
        order by started_at desc limit 1), 0)`;
  return Number(row?.count) < limits.perSecond ? now : Number(row?.first) + A_SECOND_MS;
}

/** The earliest instant at which the channel's daily limit allows a message. Replies do not count. */
export function earliestInBudget({ store, provider, limits }: SendContext, now: number): number {
  const most = dailyCap(limits);
  if (most === 0) return now;
  const { day } = londonClock(now);
  const row = store.sql
    .get`select count from alert_sent_day where day = ${day} and channel = ${provider.channel}`;
  const sent = Number(row?.count ?? 0);
  if (sent < most) return now;
  const text = `Daily limit of ${most} messages reached. The rest are sent tomorrow. To send more per day, raise ALERT_DAILY_MESSAGES or ALERT_DAILY_POUNDS.`;
  raiseNotice(store, 'daily cap', text, now);
  return londonInstant(addDays(day, 1), 0);
}

/** The most messages a day, from the limits on number and cost; 0: no limit. */
function dailyCap({ messagesPerDay, pencePerDay, pencePerMessage }: SendContext['limits']): number {
  const byCost =
    pencePerDay === 0 || pencePerMessage === 0 ? 0 : Math.max(1, Math.floor(pencePerDay / pencePerMessage));
  const caps = [messagesPerDay, byCost].filter((cap) => cap > 0);
  return caps.length === 0 ? 0 : Math.min(...caps);
}

export function countInBudget({ store, provider }: SendContext, now: number): void {
  const { day } = londonClock(now);
  store.sql.run`insert into alert_sent_day (day, channel, count) values (${day}, ${provider.channel}, 1)
    on conflict (day, channel) do update set count = alert_sent_day.count + 1`;
}
