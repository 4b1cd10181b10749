import type { AlertStore } from '../tables/alert-store.ts';
import { revertWatermarks } from './watermarks.ts';

/**
 * Returns an unsent message to the queue; a null `dueAt` leaves when it is due. If its watch has a newer alert waiting,
 * the message is dropped.
 */
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

/** The same for free text that the provider now accepts only as a template. */
export function requeueAsTemplate(store: AlertStore, message: number, now: number): void {
  store.sql.run`update alert_message set form = 'template' where id = ${message}`;
  requeueMessage(store, message, now, now);
}

/**
 * Undoes claims whose commit the store did not confirm, by their attempts' tokens. The store may hold them, but their
 * calls were never made.
 */
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
