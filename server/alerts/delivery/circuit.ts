import type { AlertStore } from '../tables/alert-store.ts';
import type { Channel } from '../tables/contacts.ts';
import { raiseNotice } from '../tables/notices.ts';

const A_SECOND_MS = 1_000;
const A_MINUTE_MS = 60 * A_SECOND_MS;

/** The first and longest pause by reason. Each opening in a row doubles the pause. */
const OPENINGS = {
  'slow down': { first: A_SECOND_MS / 10, longest: A_MINUTE_MS },
  'no answers': { first: 30 * A_SECOND_MS, longest: 10 * A_MINUTE_MS },
  account: { first: 5 * A_MINUTE_MS, longest: 60 * A_MINUTE_MS },
  pause: { first: 60 * A_MINUTE_MS, longest: 24 * 60 * A_MINUTE_MS },
} as const;

export type OpeningReason = keyof typeof OPENINGS;

/** This many calls in a row without a response, or with a server error, open the circuit. */
const MAX_UNANSWERED = 10;

export interface Circuit {
  /** Nothing is sent before this instant; milliseconds since 1970. */
  openUntil: number;
  /** Half-open: one call at a time, until the provider accepts a message. */
  isProbing: boolean;
  reason: string | null;
  /** Until when an operator has paused all sending; null: not paused. */
  heldUntil: number | null;
}

/** The end of an indefinite pause. */
export const NO_END = 253_402_300_799_999;

export function readCircuit({ sql }: AlertStore, channel: Channel): Circuit {
  const row = sql.get<{
    open_until: number;
    openings: number;
    reason: string | null;
    held_until: number | null;
  }>`
    select open_until, openings, reason, held_until from alert_circuit where channel = ${channel}`;
  return {
    openUntil: row?.open_until ?? 0,
    isProbing: (row?.openings ?? 0) > 0,
    reason: row?.reason ?? null,
    heldUntil: row?.held_until ?? null,
  };
}

/** Pauses sending on every channel, for an operator. The pause survives restarts; an `until` of null ends it. */
export function pauseSending({ sql }: AlertStore, until: number | null): void {
  sql.run`update alert_circuit set held_until = ${until}`;
}

/** Pauses a channel and notifies the operator. Concurrent failures count as one opening. */
export function openCircuit(
  store: AlertStore,
  channel: Channel,
  reason: OpeningReason,
  code: string,
  now: number,
  atLeastMs = 0,
): void {
  const { first, longest } = OPENINGS[reason];
  const row = store.sql.get`select open_until, openings from alert_circuit where channel = ${channel}`;
  const before = Number(row?.openings);
  const openings = Number(row?.open_until) > now ? Math.max(1, before) : before + 1;
  const until = now + Math.max(atLeastMs, Math.min(longest, first * 2 ** Math.min(openings - 1, 20)));
  store.sql
    .run`update alert_circuit set open_until = case when open_until > ${until} then open_until else ${until} end, openings = ${openings},
    unknowns = 0, reason = ${`${reason} (${code})`} where channel = ${channel}`;
  if (reason === 'slow down') return;
  const where = channel === 'whatsapp' ? 'WhatsApp' : channel;
  const text = `Sending by ${where} paused: ${reason} (${code}). To retry now: \`npm run alerts -- resume\`.`;
  raiseNotice(store, 'circuit', text, now);
}

/** Records that the provider has responded, even if with a rejection. */
export function recordAnswer({ sql }: AlertStore, channel: Channel): void {
  sql.run`update alert_circuit set unknowns = 0 where channel = ${channel} and unknowns > 0`;
}

/** Records an accepted message. A current pause stays: the call may have started before it. */
export function closeCircuit({ sql }: AlertStore, channel: Channel, now: number): void {
  sql.run`update alert_circuit set openings = 0, reason = null
    where channel = ${channel} and openings > 0 and open_until <= ${now}`;
}

/** Ends a pause caused by errors. The next call tests whether the provider works. */
export function resumeSending({ sql }: AlertStore, now: number, channel: Channel | null = null): void {
  sql.run`update alert_circuit set open_until = ${now}
    where open_until > ${now} and channel = coalesce(${channel}, channel)`;
}

/**
 * Records a call without a response, or with a server error. Several in a row open the circuit; during a
 * probe, one does. A call does not count if a later one got a response.
 */
export function recordUnanswered(
  store: AlertStore,
  channel: Channel,
  attempt: number,
  why: string,
  now: number,
): void {
  const { sql } = store;
  const later = sql.get`select 1 from alert_attempt
    where id > ${attempt} and channel = ${channel} and state not in ('begun', 'unknown')
      and not (state = 'rejected' and (code = 'no connection' or code like 'http 5%' or code like 'push 5%')) limit 1`;
  if (later !== undefined) return;
  const row = sql.get`update alert_circuit set unknowns = unknowns + 1
    where channel = ${channel} returning unknowns, reason`;
  const wasProbe = String(row?.reason).startsWith('no answers');
  if (wasProbe || Number(row?.unknowns) >= MAX_UNANSWERED)
    openCircuit(store, channel, 'no answers', why, now);
}
