import { putBack } from '../put-back.ts';
import type { AlertStore } from '../records/alert-store.ts';
import { untell } from './drop-message.ts';

/**
 * Undoes claims whose commit was not answered, by their attempts' tokens: they may stand, and nobody else knows that
 * their calls were never made.
 */
export function takeBackUncalled(store: AlertStore, uncalled: Set<string>, now: number): void {
  if (uncalled.size === 0) return;
  store.transact(() => {
    for (const token of uncalled) takeBack(store, token, now);
  });
  uncalled.clear();
}

function takeBack(store: AlertStore, token: string, now: number): void {
  const { sql } = store;
  const attempt = sql.get`select id, message from alert_attempt where token = ${token}`;
  if (attempt === undefined) return;
  const message = Number(attempt.message);
  const held = sql.get`select watch, told from alert_message
    where id = ${message} and attempt = ${Number(attempt.id)}`;
  if (typeof held?.told === 'string') untell(store, Number(held.watch), held.told);
  sql.run`update alert_message set attempt = null, tries = tries - 1 where id = ${message}`;
  sql.run`delete from alert_attempt where token = ${token}`;
  if (held !== undefined) putBack(store, message, now, now);
}
