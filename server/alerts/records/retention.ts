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

/** Ends watches that have departed or were never confirmed, and deletes records after their retention time. */
export function deleteExpiredRecords(store: AlertStore, retentionDays: number, now: number): void {
  const { sql } = store;
  const before = (days: number) => now - days * A_DAY_MS;
  store.transact(() => {
    sql.run`update alert_watch set state = 'ended', ended_at = ${now}
      where state <> 'ended' and departs_at <= ${now}`;
    sql.run`update alert_watch set state = 'ended', ended_at = ${now}
      where state = 'asked' and created_at <= ${before(CONFIRMATION_DAYS)}`;
    sql.run`delete from alert_message where settled_at <= ${before(retentionDays)} and state <> 'queued'`;
    sql.run`delete from alert_watch where state = 'ended' and ended_at <= ${before(retentionDays)}`;
    sql.run`delete from alert_told where watch in (select id from alert_watch where state = 'ended')`;
    sql.run`delete from alert_fallen_price where departure_day < ${Math.floor(now / A_DAY_MS)}`;
    sql.run`delete from alert_person where id not in (select person from alert_watch)
      and id not in (select person from alert_message)`;
    sql.run`delete from alert_asked where at <= ${before(CONFIRMATION_REQUEST_DAYS)}`;
    sql.run`delete from alert_event where at <= ${before(EVENT_DAYS)}`;
    sql.run`delete from alert_start where at <= ${before(EVENT_DAYS)}`;
    sql.run`delete from alert_reply_day where day < ${londonClock(before(EVENT_DAYS)).day}`;
    sql.run`delete from alert_person where erase_at <= ${now}`;
    sql.run`delete from alert_consent where at <= ${before(CONSENT_DAYS)}`;
    sql.run`delete from alert_notice where at <= ${before(NOTICE_DAYS)}`;
    sql.run`delete from alert_sign_up_count where ends_at <= ${now}`;
  });
}
