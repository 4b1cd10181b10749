import { readPause, templateHolds } from '../delivery/pauses.ts';
import type { AlertSession } from '../tables/alert-store.ts';
import { CHANNELS, type Channel } from '../tables/contacts.ts';

export type AlertMetrics = Awaited<ReturnType<typeof alertMetrics>>;

/** The most unknown outcomes in the list; `messages` counts all. */
const MAX_LISTED = 100;

/** Counts and ages of messages, without personal data. */
export async function alertMetrics(store: AlertSession, now: number) {
  const { sql } = store;
  const count = (row: Record<string, unknown> | undefined) => Number(row?.count ?? 0);
  const due = await sql.get`select count(*) as count, min(due_at) as oldest from alert_message
    where state = 'queued' and due_at <= ${now}`;
  const messages = counts(
    await sql.all`select state as name, count(*) as count from alert_message group by state`,
  );
  const inStates = (...states: string[]) => states.reduce((sum, state) => sum + (messages[state] ?? 0), 0);
  return {
    watches: counts(await sql.all`select state as name, count(*) as count from alert_watch group by state`),
    people: count(await sql.get`select count(*) as count from alert_contact`),
    messages,
    /** Messages that the provider has accepted, and those of them that have reached a phone. */
    sent: inStates('accepted', 'delivered', 'read'),
    delivered: inStates('delivered', 'read'),
    due: count(due),
    oldestDueSeconds: typeof due?.oldest === 'number' ? Math.round((now - due.oldest) / 1_000) : 0,
    failedByCode: counts(
      await sql.all`select coalesce(reason, 'no code') as name, count(*) as count
      from alert_message where state = 'failed' group by reason`,
    ),
    unknown: (
      await sql.all`select id, settled_at, reason from alert_message
      where state = 'unknown' order by settled_at limit ${MAX_LISTED}`
    ).map(({ id, settled_at, reason }) => ({
      message: Number(id),
      since: Number(settled_at),
      why: String(reason),
    })),
    stops: count(await sql.get`select count(*) as count from alert_suppression`),
    /** The state of sending on WhatsApp; `channels` has the other channels. */
    sending: await sendingOn(store, 'whatsapp', now),
    channels: await Promise.all(
      CHANNELS.filter((channel) => channel !== 'whatsapp').map(async (channel) => ({
        channel,
        messages: counts(
          await sql.all`select state as name, count(*) as count from alert_message
        where channel = ${channel} group by state`,
        ),
        sending: await sendingOn(store, channel, now),
      })),
    ),
    heldTemplates: await templateHolds(store),
  };
}

async function sendingOn(store: AlertSession, channel: Channel, now: number) {
  const { until, heldUntil, reason } = await readPause(store, channel);
  const isHeld = heldUntil !== null && heldUntil > now;
  const isPaused = isHeld || until > now;
  return {
    isPaused,
    until: isHeld ? heldUntil : isPaused ? until : null,
    reason: isHeld ? 'paused by an operator' : reason,
  };
}

function counts(rows: readonly Record<string, unknown>[]): Record<string, number> {
  return Object.fromEntries(rows.map(({ name, count }) => [String(name), Number(count)]));
}
