import * as v from 'valibot';
import type { SqlRow } from '../../storage/sql-database.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { messageText } from '../tables/messages.ts';
import { ownAnswers } from '../tables/own-answers.ts';
import type { Person } from '../tables/people.ts';
import { isSuppressed } from '../tables/suppression.ts';
import { contactName } from '../texts/contact-name.ts';
import { describePackage } from '../texts/message-text.ts';

const keptText = v.pipe(v.string(), v.parseJson(), messageText);

/** Records of each kind that are given: whoever has a link may ask for them again and again. */
const MOST = 1_000;

/** The latest watches whose holidays are named. Each name is read from the store, and STOPs wait for that thread. */
const NAMED = 100;

/** Everything that is kept about a person, or the latest of it, as JSON that is indented for people to read. */
export function ownData(store: AlertStore, person: Person, now: number): string {
  return `${JSON.stringify(ownRecords(store, person, now), null, 2)}\n`;
}

/**
 * What the file says. Instants are ISO 8601, prices are in pounds. Each list has the latest `MOST`, oldest first;
 * `keptInAll` says how many there are.
 */
function ownRecords(store: AlertStore, person: Person, now: number) {
  const { id } = person;
  const known = store.sql.get`select created_at from alert_person where id = ${id}`;
  return {
    contact: contactName(store, person),
    channel: person.channel,
    downloadedAt: new Date(now).toISOString(),
    knownSince: instant(known?.created_at),
    isStopped: isSuppressed(store, person),
    keptInAll: countsOf(store, person),
    watches: watchesOf(store, id),
    messages: messagesOf(store, id),
    answers: ownAnswers(store, id, MOST).map(({ at, text }) => ({ at: instant(at), text })),
    consents: consentsOf(store, person),
    operatorActs: operatorActsOf(store, person),
  };
}

function countsOf({ sql }: AlertStore, { id, numberKey }: Person) {
  return sql.get`select
    (select count(*) from alert_watch where person = ${id}) as watches,
    (select count(*) from alert_message where person = ${id}) as messages,
    (select count(*) from alert_own_answer where person = ${id}) as answers,
    (select count(*) from alert_consent where number_key = ${numberKey}) as consents,
    (select count(*) from alert_audit where number_key = ${numberKey}) as "operatorActs"`;
}

function watchesOf({ sql, packages }: AlertStore, person: number) {
  const rows = sql.all`select number, item_key, state, below_price, created_at as "createdAt", ended_at as "endedAt"
    from alert_watch where person = ${person} order by number desc limit ${MOST}`;
  const watches = rows.map(({ number, item_key, state, below_price, ...times }, index) => {
    const onSale = index < NAMED ? packages.find(String(item_key)) : null;
    return {
      number,
      itemKey: item_key,
      holiday: onSale === null ? null : describePackage(onSale),
      state,
      alertsBelow: below_price === null ? null : Number(below_price) / 100,
      ...dated(times),
    };
  });
  return watches.toReversed();
}

function messagesOf({ sql }: AlertStore, person: number) {
  const rows = sql.all`select kind, state, created_at as "createdAt", settled_at as "settledAt", body from alert_message
    where person = ${person} order by id desc limit ${MOST}`;
  return rows.toReversed().map(({ body, ...message }) => ({
    ...dated(message),
    text: typeof body === 'string' ? v.parse(keptText, body).text : null,
  }));
}

function consentsOf({ sql }: AlertStore, { numberKey }: Person) {
  const rows = sql.all`select act, item_key as "itemKey", wording, wording_version as version, at from alert_consent
    where number_key = ${numberKey} order by id desc limit ${MOST}`;
  return rows.toReversed().map(dated);
}

function operatorActsOf({ sql }: AlertStore, { numberKey }: Person) {
  const rows = sql.all`select act, why, at from alert_audit
    where number_key = ${numberKey} order by id desc limit ${MOST}`;
  return rows.toReversed().map(dated);
}

/** A row with its instants in ISO 8601. */
function dated(row: SqlRow): SqlRow {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    /(^a|A)t$/.test(name) ? instant(value) : value,
  ]);
  return Object.fromEntries(entries) as SqlRow;
}

/** ISO 8601, from milliseconds since 1970. */
function instant(at: unknown): string | null {
  return typeof at === 'number' ? new Date(at).toISOString() : null;
}
