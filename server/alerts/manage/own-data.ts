import * as v from 'valibot';
import type { AlertStore } from '../tables/alert-store.ts';
import { messageText } from '../tables/messages.ts';
import { ownAnswers } from '../tables/own-answers.ts';
import type { Person } from '../tables/people.ts';
import { isSuppressed } from '../tables/suppression.ts';
import { contactName } from '../texts/contact-name.ts';
import { describePackage } from '../texts/message-text.ts';

/**
 * What a person downloads. The file is written where its records are read, so that the thread that answers searches only
 * passes it on.
 */
export interface OwnData {
  /** JSON that is indented for people to read, in UTF-8. */
  file: Uint8Array<ArrayBuffer>;
}

const keptText = v.pipe(v.string(), v.parseJson(), messageText);

/** Records of each kind that are given: whoever has a link may ask for them again and again. */
const MOST = 1_000;

/** The latest watches whose holidays are named. Each name is read from the store, and STOPs wait for that thread. */
const NAMED = 100;

/** Everything that is kept about a person, or the latest of it. */
export function ownData(store: AlertStore, person: Person, now: number): OwnData {
  const text = `${JSON.stringify(ownRecords(store, person, now), null, 2)}\n`;
  return { file: new TextEncoder().encode(text) };
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
  const counted = sql.get`select
    (select count(*) from alert_watch where person = ${id}) as watches,
    (select count(*) from alert_message where person = ${id}) as messages,
    (select count(*) from alert_own_answer where person = ${id}) as answers,
    (select count(*) from alert_consent where number_key = ${numberKey}) as consents,
    (select count(*) from alert_audit where number_key = ${numberKey}) as operator_acts`;
  return {
    watches: Number(counted?.watches),
    messages: Number(counted?.messages),
    answers: Number(counted?.answers),
    consents: Number(counted?.consents),
    operatorActs: Number(counted?.operator_acts),
  };
}

function watchesOf({ sql, packages }: AlertStore, person: number) {
  const rows = sql.all`select number, item_key, state, below_price, created_at, ended_at from alert_watch
    where person = ${person} order by number desc limit ${MOST}`;
  const watches = rows.map(({ number, item_key, state, below_price, created_at, ended_at }, index) => {
    const onSale = index < NAMED ? packages.find(String(item_key)) : null;
    return {
      number: Number(number),
      itemKey: String(item_key),
      holiday: onSale === null ? null : describePackage(onSale),
      state: String(state),
      alertsBelow: below_price === null ? null : Number(below_price) / 100,
      createdAt: instant(created_at),
      endedAt: instant(ended_at),
    };
  });
  return watches.toReversed();
}

function messagesOf({ sql }: AlertStore, person: number) {
  const rows = sql.all`select kind, state, created_at, settled_at, body from alert_message
    where person = ${person} order by id desc limit ${MOST}`;
  return rows.toReversed().map(({ kind, state, created_at, settled_at, body }) => ({
    kind: String(kind),
    state: String(state),
    createdAt: instant(created_at),
    settledAt: instant(settled_at),
    text: typeof body === 'string' ? v.parse(keptText, body).text : null,
  }));
}

function consentsOf({ sql }: AlertStore, { numberKey }: Person) {
  const rows = sql.all`select act, item_key, wording, wording_version, at from alert_consent
    where number_key = ${numberKey} order by id desc limit ${MOST}`;
  return rows.toReversed().map(({ act, item_key, wording, wording_version, at }) => ({
    act: String(act),
    itemKey: textOrNull(item_key),
    wording: String(wording),
    version: Number(wording_version),
    at: instant(at),
  }));
}

function operatorActsOf({ sql }: AlertStore, { numberKey }: Person) {
  const rows = sql.all`select act, why, at from alert_audit
    where number_key = ${numberKey} order by id desc limit ${MOST}`;
  return rows
    .toReversed()
    .map(({ act, why, at }) => ({ act: String(act), why: String(why), at: instant(at) }));
}

/** ISO 8601, from milliseconds since 1970. */
function instant(at: unknown): string | null {
  return typeof at === 'number' ? new Date(at).toISOString() : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
