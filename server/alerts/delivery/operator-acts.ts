import { batchesOf } from '../../lib/batches.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { awaitConfirmation } from '../tables/confirmation-requests.ts';
import { requeueMessage } from './requeue.ts';
import { revertWatermarks } from './watermarks.ts';

/** Messages in one transaction, so that a STOP never waits for long. */
const AT_ONCE = 200;

/** States that an operator may end. A message in any other is on its way, has arrived, or was dropped by a rule. */
const OPEN_STATES = new Set(['unknown', 'failed']);

/**
 * Puts messages with an unknown outcome or a failure into the queue again, at an operator's word. The rules of sending
 * apply: a stop, an ended watch or a drop that is over still ends the message. Returns how many were queued; messages
 * that have settled in the meantime are left alone.
 */
export function sendAgain(store: AlertStore, messages: readonly number[], now: number): number {
  return inBatches(store, messages, (id) => {
    const found = store.sql.get`select person, watch, told, state, kind from alert_message where id = ${id}`;
    if (!OPEN_STATES.has(String(found?.state))) return false;
    // A failure has already reverted its watermarks.
    if (found?.state === 'unknown' && typeof found.told === 'string')
      revertWatermarks(store, Number(found.watch), found.told);
    // What the old attempt may still hear must not be mistaken for the new one, and it is not asked about again.
    store.sql
      .run`update alert_attempt set state = 'rejected', code = 'sent again by an operator', ask_at = null
      where message = ${id} and state = 'unknown'`;
    if (found?.kind === 'confirm') awaitConfirmation(store, Number(found.person), now);
    requeueMessage(store, id, now, now);
    store.sql
      .run`update alert_message set created_at = ${now}, reason = null where id = ${id} and state = 'queued'`;
    return true;
  });
}

/** Ends messages with an unknown outcome or a failure for good, at an operator's word. Returns how many. */
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
  for (const batch of batchesOf(ids, AT_ONCE)) done += store.transact(() => batch.filter(act).length);
  return done;
}
