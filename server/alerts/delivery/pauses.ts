import { installedCommand } from '../../lib/installed-command.ts';
import type { AlertSession } from '../tables/alert-store.ts';
import type { Channel } from '../tables/contacts.ts';
import { delayMessage, releaseMessages } from '../tables/messages.ts';
import { raiseNotice } from '../tables/notices.ts';

// A row of `alert_pause` is a channel (`template` is ''), or a template of WhatsApp that is held.

const A_SECOND_MS = 1_000;
const A_MINUTE_MS = 60 * A_SECOND_MS;

/** The first and longest pause by reason. Each pause in a row doubles. */
const PAUSES = {
  'slow down': { first: A_SECOND_MS / 10, longest: A_MINUTE_MS },
  'no answers': { first: 30 * A_SECOND_MS, longest: 10 * A_MINUTE_MS },
  account: { first: 5 * A_MINUTE_MS, longest: 60 * A_MINUTE_MS },
  pause: { first: 60 * A_MINUTE_MS, longest: 24 * 60 * A_MINUTE_MS },
  template: { first: 5 * A_MINUTE_MS, longest: 60 * A_MINUTE_MS },
} as const;

/** This many calls in a row without a response, or with a server error, pause the channel. */
const MAX_UNANSWERED = 10;

/** The end of an indefinite pause. */
export const NO_END = 253_402_300_799_999;

interface Row {
  until: number;
  openings: number;
  reason: string | null;
  held_until: number | null;
}

async function rowOf({ sql }: AlertSession, channel: Channel, template = ''): Promise<Row | undefined> {
  return sql.get<Row>`select until, openings, reason, held_until from alert_pause
    where channel = ${channel} and template = ${template}`;
}

export async function readPause(store: AlertSession, channel: Channel) {
  const row = await rowOf(store, channel);
  return {
    /** Nothing is sent before this instant; milliseconds since 1970. */
    until: row?.until ?? 0,
    /** One call at a time, until the provider accepts a message. */
    isProbing: (row?.openings ?? 0) > 0,
    reason: row?.reason ?? null,
    /** Until when an operator has paused all sending; null: not paused. */
    heldUntil: row?.held_until ?? null,
  };
}

/** Pauses sending on every channel, for an operator. The pause survives restarts; an `until` of null ends it. */
export async function pauseSending({ sql }: AlertSession, until: number | null): Promise<void> {
  await sql.run`update alert_pause set held_until = ${until} where template = ''`;
}

/** Pauses a channel and notifies the operator. Concurrent failures count as one. */
export async function pauseChannel(
  store: AlertSession,
  channel: Channel,
  reason: Exclude<keyof typeof PAUSES, 'template'>,
  code: string,
  now: number,
  atLeastMs = 0,
): Promise<void> {
  const { first, longest } = PAUSES[reason];
  const row = await rowOf(store, channel);
  const before = row?.openings ?? 0;
  const openings = (row?.until ?? 0) > now ? Math.max(1, before) : before + 1;
  const pauseMs = Math.max(atLeastMs, Math.min(longest, first * 2 ** Math.min(openings - 1, 20)));
  const until = Math.max(row?.until ?? 0, now + pauseMs);
  await store.sql.run`update alert_pause set until = ${until}, openings = ${openings}, unanswered = 0,
    reason = ${`${reason} (${code})`} where channel = ${channel} and template = ''`;
  if (reason === 'slow down') return;
  const where = channel === 'whatsapp' ? 'WhatsApp' : channel;
  const text = `Sending by ${where} paused: ${reason} (${code}). To retry now: \`${installedCommand('alerts', 'resume')}\`.`;
  await raiseNotice(store, 'circuit', text, now);
}

/** Records that the provider has responded, even if with a rejection. */
export async function recordAnswer({ sql }: AlertSession, channel: Channel, attempt: number): Promise<void> {
  await sql.run`update alert_pause set unanswered = 0,
      answered = case when answered > ${attempt} then answered else ${attempt} end
    where channel = ${channel} and template = ''`;
}

/** Records an accepted message. A current pause stays: the call may have started before it. */
export async function recordAccepted({ sql }: AlertSession, channel: Channel, now: number): Promise<void> {
  await sql.run`update alert_pause set openings = 0, reason = null
    where channel = ${channel} and template = '' and openings > 0 and until <= ${now}`;
}

/** Ends a pause caused by errors. The next call tests whether the provider works. */
export async function resumeSending(
  { sql }: AlertSession,
  now: number,
  channel: Channel | null = null,
): Promise<void> {
  await sql.run`update alert_pause set until = ${now}
    where template = '' and until > ${now} and channel = coalesce(${channel}, channel)`;
}

/**
 * Records a call without a response, or with a server error. Several in a row pause the channel; during a
 * probe, one does. A call does not count if a later one got a response.
 */
export async function recordUnanswered(
  store: AlertSession,
  channel: Channel,
  attempt: number,
  why: string,
  now: number,
): Promise<void> {
  const row = await store.sql.get`update alert_pause set unanswered = unanswered + 1
    where channel = ${channel} and template = '' and answered < ${attempt} returning unanswered, reason`;
  if (row === undefined) return;
  const wasProbe = String(row.reason).startsWith('no answers');
  if (wasProbe || Number(row.unanswered) >= MAX_UNANSWERED)
    await pauseChannel(store, channel, 'no answers', why, now);
}

/** While one message tests a held template, the template's other messages wait this long. */
const PROBE_MS = 60_000;

/** Why a held template's messages wait. */
export const HELD = 'the template is held';

export interface TemplateHold {
  template: string;
  until: number;
  reason: string;
  since: number;
}

export async function templateHolds({ sql }: AlertSession): Promise<TemplateHold[]> {
  return sql.all<TemplateHold>`select template, until, reason, since from alert_pause
    where template <> '' order by template`;
}

/** Holds a template: its messages wait, and one of them is tried after an increasing delay. */
export async function holdTemplate(
  store: AlertSession,
  template: string,
  reason: string,
  now: number,
): Promise<number> {
  const openings = ((await rowOf(store, 'whatsapp', template))?.openings ?? 0) + 1;
  const { first, longest } = PAUSES.template;
  const until = now + Math.min(longest, first * 2 ** Math.min(openings - 1, 20));
  await store.sql.run`insert into alert_pause (channel, template, until, openings, reason, since)
    values ('whatsapp', ${template}, ${until}, ${openings}, ${reason}, ${now})
    on conflict (channel, template) do update set until = excluded.until, openings = excluded.openings,
      reason = excluded.reason`;
  const text = `The provider does not accept the template '${template}': ${reason}. Its messages stay queued. Correct the template, then run \`${installedCommand('alerts', `resume ${template}`)}\`.`;
  await raiseNotice(store, 'template', text, now);
  return until;
}

/** Delays a message while its template is held. Returns false if the template works, or may be tried. */
export async function waitForTemplate(
  store: AlertSession,
  message: { id: number; kind: string; channel: Channel },
  now: number,
): Promise<boolean> {
  const until =
    message.channel === 'whatsapp' ? ((await rowOf(store, 'whatsapp', message.kind))?.until ?? 0) : 0;
  if (until > now) await delayMessage(store, message.id, until, HELD);
  return until > now;
}

/** Makes the other messages of a held template wait while one is tried. */
export async function beginTemplateProbe(
  { sql }: AlertSession,
  template: string,
  now: number,
): Promise<void> {
  await sql.run`update alert_pause set until = ${now + PROBE_MS} where channel = 'whatsapp' and template = ${template}`;
}

/** Releases a template and its waiting messages. Returns whether it was held. */
export async function releaseTemplate(store: AlertSession, template: string, now: number): Promise<boolean> {
  const { changes } = await store.sql
    .run`delete from alert_pause where template = ${template} and template <> ''`;
  if (changes > 0) await releaseMessages(store, template, HELD, now);
  return changes > 0;
}
