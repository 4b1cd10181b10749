import type { AlertStore } from '../records/alert-store.ts';
import { raiseNotice } from '../records/notices.ts';

const A_SECOND_MS = 1_000;
const A_MINUTE_MS = 60 * A_SECOND_MS;

/** Why nothing is sent, and for how long at first and at most; each opening in a row doubles the time. */
const OPENINGS = {
  'slow down': { first: A_SECOND_MS / 10, most: A_MINUTE_MS },
  'no answers': { first: 30 * A_SECOND_MS, most: 10 * A_MINUTE_MS },
  account: { first: 5 * A_MINUTE_MS, most: 60 * A_MINUTE_MS },
  pause: { first: 60 * A_MINUTE_MS, most: 24 * 60 * A_MINUTE_MS },
} as const;

export type OpeningReason = keyof typeof OPENINGS;

/** Outcomes unknown in a row after which the provider is taken to be down. */
const UNKNOWNS_IN_A_ROW = 10;

const PROBES_AFTER_SLOWDOWN = 10;

export interface Circuit {
  /** Nothing is sent before; milliseconds since 1970. */
  openUntil: number;
  /** Calls that may be under way, to try, until one is accepted; null: as many as there are. */
  probes: number | null;
  reason: string | null;
}

export function readCircuit({ sql }: AlertStore): Circuit {
  const row = sql.get`select open_until, openings, reason from alert_circuit`;
  const reason = row?.reason;
  return {
    openUntil: Number(row?.open_until),
    probes: Number(row?.openings) === 0 ? null : probesFor(String(reason)),
    reason: typeof reason === 'string' ? reason : null,
  };
}

/** Who was merely told to slow down knows that the provider works: one call that hangs must not hold up the rest. */
function probesFor(reason: string): number {
  return reason.startsWith('slow down') ? PROBES_AFTER_SLOWDOWN : 1;
}

/**
 * Stops all sending for a while, at least for `atLeastMs`. Calls that were under way together and fail together
 * are one opening. Everything but a mere slowing down is raised to the operator.
 */
export function openCircuit(
  store: AlertStore,
  reason: OpeningReason,
  code: string,
  now: number,
  atLeastMs = 0,
): void {
  const { first, most } = OPENINGS[reason];
  const row = store.sql.get`select open_until, openings from alert_circuit`;
  const before = Number(row?.openings);
  const openings = Number(row?.open_until) > now ? Math.max(1, before) : before + 1;
  const until = now + Math.max(atLeastMs, Math.min(most, first * 2 ** Math.min(openings - 1, 20)));
  store.sql
    .run`update alert_circuit set open_until = case when open_until > ${until} then open_until else ${until} end, openings = ${openings},
    unknowns = 0, reason = ${`${reason} (${code})`}`;
  if (reason !== 'slow down') raiseNotice(store, 'circuit', `Sending is paused: ${reason} (${code})`, now);
}

/** The provider has answered, if only with a refusal. */
export function recordAnswer({ sql }: AlertStore): void {
  sql.run`update alert_circuit set unknowns = 0 where unknowns > 0`;
}

/** A message was accepted: the provider works. A pause that still runs is not cut short by an earlier call. */
export function closeCircuit({ sql }: AlertStore, now: number): void {
  sql.run`update alert_circuit set openings = 0, reason = null where openings > 0 and open_until <= ${now}`;
}

/** Ends the wait, whatever its reason: one call tries at once whether the provider works again. */
export function resumeSending({ sql }: AlertStore, now: number): void {
  sql.run`update alert_circuit set open_until = ${now} where open_until > ${now}`;
}

/**
 * An outcome that nobody knows: several in a row mean that the provider does not answer, and so does the one that
 * tried whether it does again. A call that was given up says nothing where a later one has been answered.
 */
export function recordUnknownOutcome(store: AlertStore, attempt: number, why: string, now: number): void {
  const { sql } = store;
  const later = sql.get`select 1 from alert_attempt
    where id > ${attempt} and state not in ('begun', 'unknown') limit 1`;
  if (later !== undefined) return;
  const row = sql.get`update alert_circuit set unknowns = unknowns + 1 returning unknowns, reason`;
  const wasTried = String(row?.reason).startsWith('no answers');
  if (wasTried || Number(row?.unknowns) >= UNKNOWNS_IN_A_ROW) openCircuit(store, 'no answers', why, now);
}
