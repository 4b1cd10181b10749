import { batchesOf } from '../../lib/batches.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { awaitConfirmation } from '../tables/confirmation-requests.ts';
import { revertWatermarks } from './watermarks.ts';

/** Requeues a message; a `dueAt` of null keeps its time. Drops it if its watch has a newer queued alert. */
export function requeueMessage(
  { sql }: AlertStore,
  message: number,
  dueAt: number | null,
  now: number,
): void {
  const newer = sql.get`select 1 from alert_message as own join alert_message as other
      on other.watch = own.watch and other.kind = 'drop' and other.state = 'queued' and other.id <> own.id
    where own.id = ${message} and own.kind = 'drop'`;
  if (newer === undefined) {
    sql.run`update alert_message set state = 'queued', due_at = coalesce(${dueAt}, due_at), settled_at = null
      where id = ${message}`;
  } else {
    sql.run`update alert_message set state = 'dropped', reason = 'replaced by a newer alert', settled_at = ${now}
      where id = ${message}`;
  }
}

/** Undoes claims whose commit the store did not confirm, by their tokens. No calls were made for them. */
export function requeueUnconfirmedClaims(store: AlertStore, unconfirmed: Set<string>, now: number): void {
  if (unconfirmed.size === 0) return;
  store.transact(() => {
    for (const token of unconfirmed) requeueClaim(store, token, now);
  });
  unconfirmed.clear();
}

function requeueClaim(store: AlertStore, token: string, now: number): void {
  const { sql } = store;
  const attempt = sql.get`select id, message from alert_attempt where token = ${token}`;
  if (attempt === undefined) return;
  const message = Number(attempt.message);
  const claimed = sql.get`select watch, told from alert_message
    where id = ${message} and attempt = ${Number(attempt.id)}`;
  if (typeof claimed?.told === 'string') revertWatermarks(store, Number(claimed.watch), claimed.told);
  sql.run`update alert_message set attempt = null, tries = tries - 1 where id = ${message}`;
  sql.run`delete from alert_attempt where token = ${token}`;
  if (claimed !== undefined) requeueMessage(store, message, now, now);
}

/** Few messages per transaction, so that a STOP never waits long. */
const BATCH = 200;

const OPEN_STATES = new Set(['unknown', 'failed']);

/**
 * Requeues messages with an unknown outcome or a failure, for an operator. Stops, ended watches and finished
 * price drops still apply. Returns how many were queued; messages that were settled meanwhile are skipped.
 */
export function sendAgain(store: AlertStore, messages: readonly number[], now: number): number {
  return inBatches(store, messages, (id) => {
    const found = store.sql.get`select contact, watch, told, state, kind from alert_message where id = ${id}`;
    if (!OPEN_STATES.has(String(found?.state))) return false;
    // The watermarks of a failed message have already been reverted.
    if (found?.state === 'unknown' && typeof found.told === 'string')
      revertWatermarks(store, Number(found.watch), found.told);
    // Ends the old attempt; otherwise its late statuses would count for the new one.
    store.sql
      .run`update alert_attempt set state = 'rejected', code = 'sent again by an operator', ask_at = null
      where message = ${id} and state = 'unknown'`;
    if (found?.kind === 'confirm') awaitConfirmation(store, Number(found.contact), now);
    requeueMessage(store, id, now, now);
    store.sql
      .run`update alert_message set created_at = ${now}, reason = null where id = ${id} and state = 'queued'`;
    return true;
  });
}

/** Drops messages with an unknown outcome or a failure, for an operator. Returns how many. */
export function giveUp(store: AlertStore, messages: readonly number[], now: number): number {
  return inBatches(store, messages, (id) => {
    const { changes } = store.sql.run`update alert_message set state = 'dropped',
      reason = 'given up by an operator', settled_at = ${now}
      where id = ${id} and state in ('unknown', 'failed')`;
    if (changes > 0)
      store.sql.run`update alert_attempt set ask_at = null where message = ${id} and state = 'unknown'`;
    return changes > 0;
  });
}

function inBatches(store: AlertStore, ids: readonly number[], act: (id: number) => boolean): number {
  let done = 0;
  for (const batch of batchesOf(ids, BATCH)) done += store.transact(() => batch.filter(act).length);
  return done;
}
