import { setImmediate } from 'node:timers/promises';
import { londonClock } from '../../../domain/london-time.ts';
import type { AlertSession, AlertStore } from './alert-store.ts';
import { markForOverwriting } from './erasure.ts';

const A_DAY_MS = 24 * 60 * 60 * 1000;

/** Days for which an unconfirmed watch is kept, and its contact gets no other confirmation request. */
export const CONFIRMATION_DAYS = 7;
export const CONFIRMATION_REQUEST_DAYS = 90;

/** Providers repeat an event for up to a week. */
const EVENT_DAYS = 14;

/** Days for which consent records are kept. They contain no number, and show that messages were allowed. */
const CONSENT_DAYS = 2 * 365;
const NOTICE_DAYS = 90;

/** If a delisted package returns within this time, its last price counts as its previous price. */
export const GONE_PRICE_DAYS = 14;

/** Few rows per transaction, so that a STOP never waits long. */
const MAX_ROWS = 500;

const MAX_CONTACTS = 5_000;

/** Ends old watches and deletes expired records. If a run fails, the next one continues. */
export async function deleteExpiredRecords(
  store: AlertStore,
  retentionDays: number,
  now: number,
): Promise<void> {
  for (const expire of expirations(retentionDays, now)) {
    while ((await store.transact(async (tx) => marked(tx, await expire(tx)))) >= MAX_ROWS)
      await setImmediate();
    await setImmediate();
  }
  await deleteContactsWithoutRecords(store);
}

/** Deleted records are overwritten within a minute (`finishErasures`). */
async function marked(store: AlertSession, { changes }: { changes: number }): Promise<number> {
  if (changes > 0) await markForOverwriting(store);
  return changes;
}

/** Deletes in ranges of IDs, because a single statement would delay sign-ups for seconds. */
async function deleteContactsWithoutRecords(store: AlertStore): Promise<void> {
  const newest = Number((await store.sql.get`select max(id) as newest from alert_contact`)?.newest ?? 0);
  for (let from = 0; from < newest; from += MAX_CONTACTS) {
    await store.transact(async (tx) =>
      marked(
        tx,
        await tx.sql.run`delete from alert_contact where id > ${from} and id <= ${from + MAX_CONTACTS}
        and not exists (select 1 from alert_watch where contact = alert_contact.id)
        and not exists (select 1 from alert_message where contact = alert_contact.id)`,
      ),
    );
    await setImmediate();
  }
}

function expirations(
  retentionDays: number,
  now: number,
): ((tx: AlertSession) => Promise<{ changes: number }>)[] {
  const before = (days: number) => now - days * A_DAY_MS;
  const most = MAX_ROWS;
  function remove(table: string, key: string, condition: string, value: number) {
    const text = `delete from ${table} where ${key} in (select ${key} from ${table} where ${condition} limit ${most})`;
    return ({ session }: AlertSession) => session.prepare(text).run(value);
  }
  return [
    ({ sql }) => sql.run`update alert_watch set state = 'ended', ended_at = ${now} where id in (
      select id from alert_watch where state <> 'ended' and departs_at <= ${now} limit ${most})`,
    ({ sql }) => sql.run`update alert_watch set state = 'ended', ended_at = ${now} where id in (
      select id from alert_watch where started is null and state <> 'ended'
        and created_at <= ${before(CONFIRMATION_DAYS)} limit ${most})`,
    remove('alert_message', 'id', "settled_at <= ? and state <> 'queued'", before(retentionDays)),
    remove('alert_watch', 'id', "state = 'ended' and ended_at <= ?", before(retentionDays)),
    ({ sql }) => sql.run`delete from alert_told where (watch, item_key) in (
      select watch, alert_told.item_key from alert_told join alert_watch on id = watch where state = 'ended' limit ${most})`,
    remove('alert_fallen_price', 'item_key', 'departure_day < ?', Math.floor(now / A_DAY_MS)),
    remove('alert_gone_price', 'item_key', 'gone_at <= ?', before(GONE_PRICE_DAYS)),
    remove('alert_asked', 'contact_key', 'at <= ?', before(CONFIRMATION_REQUEST_DAYS)),
    remove('alert_event', 'event_key', 'at <= ?', before(EVENT_DAYS)),
    remove('alert_start', 'key', 'at <= ?', before(EVENT_DAYS)),
    ({ sql }) => sql.run`delete from alert_sent where day < ${londonClock(before(EVENT_DAYS)).day}`,
    remove('alert_contact', 'id', 'erase_at <= ?', now),
    remove('alert_consent', 'id', 'at <= ?', before(CONSENT_DAYS)),
    remove('alert_audit', 'id', 'at <= ?', before(CONSENT_DAYS)),
    remove('alert_notice', 'id', 'at <= ?', before(NOTICE_DAYS)),
    ({ sql }) => sql.run`delete from alert_sign_up_count where (key, "window") in (
      select key, "window" from alert_sign_up_count where ends_at <= ${now} limit ${most})`,
  ];
}
