import { setImmediate } from 'node:timers/promises';
import { londonClock } from '../../../domain/london-time.ts';
import type { AlertStore } from './alert-store.ts';

const A_DAY_MS = 24 * 60 * 60 * 1000;

/** How many days an unanswered confirmation keeps its watch, and how long no other request is sent. */
export const CONFIRMATION_DAYS = 7;
export const CONFIRMATION_REQUEST_DAYS = 90;

/** Providers repeat an event for a week at most. */
const EVENT_DAYS = 14;

/** Consent records contain no number. They justify the messages that were sent. */
const CONSENT_DAYS = 2 * 365;
const NOTICE_DAYS = 90;

/** How long the last price of a watched package that left the inventory counts as its price before a return. */
export const GONE_PRICE_DAYS = 14;

/** Rows in one transaction, so that a STOP never waits for long. */
const ROWS_AT_ONCE = 500;

/** People who are looked at in one transaction. */
const PEOPLE_AT_ONCE = 5_000;

/**
 * Ends watches that have departed or were never confirmed, and deletes records after their retention time. It runs in
 * short transactions, with time for other work between them. A run that fails is finished by the next one.
 */
export async function deleteExpiredRecords(
  store: AlertStore,
  retentionDays: number,
  now: number,
): Promise<void> {
  for (const expire of expirations(store, retentionDays, now)) {
    while (store.transact(expire).changes >= ROWS_AT_ONCE) await setImmediate();
    await setImmediate();
  }
  await deletePeopleWithoutRecords(store);
}

/** All people are looked at, some at a time: a million at once would keep sign-ups waiting for seconds. */
async function deletePeopleWithoutRecords({ sql, transact }: AlertStore): Promise<void> {
  const newest = Number(sql.get`select max(id) as newest from alert_person`?.newest ?? 0);
  for (let from = 0; from < newest; from += PEOPLE_AT_ONCE) {
    transact(
      () => sql.run`delete from alert_person where id > ${from} and id <= ${from + PEOPLE_AT_ONCE}
        and not exists (select 1 from alert_watch where person = alert_person.id)
        and not exists (select 1 from alert_message where person = alert_person.id)`,
    );
    await setImmediate();
  }
}

function expirations({ sql }: AlertStore, retentionDays: number, now: number): (() => { changes: number })[] {
  const before = (days: number) => now - days * A_DAY_MS;
  const most = ROWS_AT_ONCE;
  return [
    () => sql.run`update alert_watch set state = 'ended', ended_at = ${now} where id in (
      select id from alert_watch where state <> 'ended' and departs_at <= ${now} limit ${most})`,
    () => sql.run`update alert_watch set state = 'ended', ended_at = ${now} where id in (
      select id from alert_watch where state = 'asked' and created_at <= ${before(CONFIRMATION_DAYS)} limit ${most})`,
    () => sql.run`delete from alert_message where id in (
      select id from alert_message where settled_at <= ${before(retentionDays)} and state <> 'queued' limit ${most})`,
    () => sql.run`delete from alert_watch where id in (
      select id from alert_watch where state = 'ended' and ended_at <= ${before(retentionDays)} limit ${most})`,
    () => sql.run`delete from alert_told where (watch, item_key) in (
      select watch, alert_told.item_key from alert_told join alert_watch on id = watch where state = 'ended' limit ${most})`,
    () => sql.run`delete from alert_fallen_price where item_key in (
      select item_key from alert_fallen_price where departure_day < ${Math.floor(now / A_DAY_MS)} limit ${most})`,
    () => sql.run`delete from alert_gone_price where item_key in (
      select item_key from alert_gone_price where gone_at <= ${before(GONE_PRICE_DAYS)} limit ${most})`,
    () => sql.run`delete from alert_asked where number_key in (
      select number_key from alert_asked where at <= ${before(CONFIRMATION_REQUEST_DAYS)} limit ${most})`,
    () => sql.run`delete from alert_event where event_key in (
      select event_key from alert_event where at <= ${before(EVENT_DAYS)} limit ${most})`,
    () => sql.run`delete from alert_start where key in (
      select key from alert_start where at <= ${before(EVENT_DAYS)} limit ${most})`,
    () => sql.run`delete from alert_click_day where day < ${londonClock(before(retentionDays)).day}`,
    () => sql.run`delete from alert_sent_day where day < ${londonClock(before(EVENT_DAYS)).day}`,
    () => sql.run`delete from alert_person where id in (
      select id from alert_person where erase_at <= ${now} limit ${most})`,
    () => sql.run`delete from alert_consent where id in (
      select id from alert_consent where at <= ${before(CONSENT_DAYS)} limit ${most})`,
    () => sql.run`delete from alert_audit where id in (
      select id from alert_audit where at <= ${before(CONSENT_DAYS)} limit ${most})`,
    () => sql.run`delete from alert_notice where id in (
      select id from alert_notice where at <= ${before(NOTICE_DAYS)} limit ${most})`,
    () => sql.run`delete from alert_sign_up_count where (key, "window") in (
      select key, "window" from alert_sign_up_count where ends_at <= ${now} limit ${most})`,
  ];
}
