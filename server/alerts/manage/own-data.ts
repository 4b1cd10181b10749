import * as v from 'valibot';
import type { AlertStore } from '../records/alert-store.ts';
import { contactName } from '../records/contact-name.ts';
import { describePackage, messageText } from '../records/message-text.ts';
import { ownAnswers } from '../records/own-answers.ts';
import type { Person } from '../records/people.ts';
import { isSuppressed } from '../records/suppression.ts';

/** What a person downloads. Instants are ISO 8601, prices are in pounds. */
export interface OwnData {
  /** In words: whoever has the link may download this. */
  contact: string;
  channel: string;
  downloadedAt: string;
  knownSince: string | null;
  isStopped: boolean;
  watches: {
    number: number;
    itemKey: string;
    holiday: string | null;
    state: string;
    alertsBelow: number | null;
    createdAt: string | null;
    endedAt: string | null;
  }[];
  messages: {
    kind: string;
    state: string;
    createdAt: string | null;
    settledAt: string | null;
    text: string | null;
  }[];
  answers: { at: string | null; text: string }[];
  consents: { act: string; itemKey: string | null; wording: string; version: number; at: string | null }[];
  /** What operators have done with the contact, and why. */
  operatorActs: { act: string; why: string; at: string | null }[];
}

const keptText = v.pipe(v.string(), v.parseJson(), messageText);

/** The latest answers of the local outbox that are given. */
const ANSWERS = 1_000;

/** Everything that is kept about a person. */
export function ownData(store: AlertStore, person: Person, now: number): OwnData {
  const { sql } = store;
  const { id, numberKey } = person;
  const known = sql.get`select created_at from alert_person where id = ${id}`;
  const consents = sql.all`select act, item_key, wording, wording_version, at from alert_consent
    where number_key = ${numberKey} order by id`;
  const acts = sql.all`select act, why, at from alert_audit where number_key = ${numberKey} order by id`;
  return {
    contact: contactName(store, person),
    channel: person.channel,
    downloadedAt: new Date(now).toISOString(),
    knownSince: instant(known?.created_at),
    isStopped: isSuppressed(store, person),
    watches: watchesOf(store, id),
    messages: messagesOf(store, id),
    answers: ownAnswers(store, id, ANSWERS).map(({ at, text }) => ({ at: instant(at), text })),
    consents: consents.map(({ act, item_key, wording, wording_version, at }) => ({
      act: String(act),
      itemKey: textOrNull(item_key),
      wording: String(wording),
      version: Number(wording_version),
      at: instant(at),
    })),
    operatorActs: acts.map(({ act, why, at }) => ({ act: String(act), why: String(why), at: instant(at) })),
  };
}

function watchesOf({ sql, packages }: AlertStore, person: number): OwnData['watches'] {
  const rows = sql.all`select number, item_key, state, below_price, created_at, ended_at from alert_watch
    where person = ${person} order by number`;
  return rows.map(({ number, item_key, state, below_price, created_at, ended_at }) => {
    const onSale = packages.find(String(item_key));
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
}

function messagesOf({ sql }: AlertStore, person: number): OwnData['messages'] {
  const rows = sql.all`select kind, state, created_at, settled_at, body from alert_message
    where person = ${person} order by id`;
  return rows.map(({ kind, state, created_at, settled_at, body }) => ({
    kind: String(kind),
    state: String(state),
    createdAt: instant(created_at),
    settledAt: instant(settled_at),
    text: typeof body === 'string' ? v.parse(keptText, body).text : null,
  }));
}

/** ISO 8601, from milliseconds since 1970. */
function instant(at: unknown): string | null {
  return typeof at === 'number' ? new Date(at).toISOString() : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
