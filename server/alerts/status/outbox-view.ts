import * as v from 'valibot';
import { formatWholePounds } from '../../../domain/money.ts';
import type { AlertStore } from '../records/alert-store.ts';
import { describePackage, type MessageButton, messageText } from '../records/message-text.ts';
import { ownAnswers } from '../records/own-answers.ts';
import { decryptNumber, personById } from '../records/people.ts';
import { isSuppressed } from '../records/suppression.ts';

/** A message to a phone, or an answer from it. */
export interface OutboxMessage {
  isOwn: boolean;
  at: number;
  state: string;
  reason: string | null;
  text: string | null;
  buttons: readonly MessageButton[];
  /** A message that waits for its time, and until when; null for others. */
  waiting: { message: number; until: number } | null;
}

/** The content of `/outbox`: each phone, its watches and its messages. */
export interface OutboxView {
  phones: {
    person: number;
    /** The last three digits of the number. */
    ending: string;
    isStopped: boolean;
    watches: { id: number; number: number; isActive: boolean; description: string; price: string | null }[];
    messages: OutboxMessage[];
  }[];
}

const keptText = v.pipe(v.string(), v.parseJson(), messageText);

/** The most phones shown, newest first, and messages of each, newest last. */
const PHONES = 20;
const MESSAGES = 30;

export function outboxView(store: AlertStore): OutboxView {
  const people = store.sql.all`select id from alert_person order by id desc limit ${PHONES}`;
  return { phones: people.map(({ id }) => phoneOf(store, Number(id))) };
}

function phoneOf(store: AlertStore, id: number): OutboxView['phones'][number] {
  const person = personById(store, id);
  return {
    person: id,
    ending: decryptNumber(store, id).slice(-3),
    isStopped: person !== null && isSuppressed(store, person),
    watches: watchesOf(store, id),
    messages: messagesOf(store, id),
  };
}

function watchesOf({ sql, packages }: AlertStore, person: number): OutboxView['phones'][number]['watches'] {
  const rows = sql.all`select id, number, item_key, state from alert_watch
    where person = ${person} and state <> 'ended' order by number`;
  return rows.map(({ id, number, item_key, state }) => {
    const watched = packages.find(String(item_key));
    return {
      id: Number(id),
      number: Number(number),
      isActive: state === 'active',
      description:
        watched === null ? 'A holiday that is not on sale at the moment' : describePackage(watched),
      price: watched === null ? null : formatWholePounds(watched.price),
    };
  });
}

/** Messages and answers, in the order of their times; an answer comes before the replies of its instant. */
function messagesOf(store: AlertStore, person: number): OutboxMessage[] {
  const rows = store.sql.all`select id, state, reason, due_at, settled_at, body, created_at from alert_message
    where person = ${person} order by id desc limit ${MESSAGES}`;
  const sent = rows.toReversed().map((row): OutboxMessage => {
    const { id, state, reason, due_at, settled_at, body, created_at } = row;
    const kept = typeof body === 'string' ? v.parse(keptText, body) : null;
    return {
      isOwn: false,
      at: Number(settled_at ?? due_at),
      state: String(state),
      reason: typeof reason === 'string' ? reason : null,
      text: kept?.text ?? null,
      buttons: kept?.buttons ?? [],
      waiting:
        state === 'queued' && Number(due_at) > Number(created_at)
          ? { message: Number(id), until: Number(due_at) }
          : null,
    };
  });
  const own = ownAnswers(store, person, MESSAGES).map(
    ({ text, at }): OutboxMessage => ({
      isOwn: true,
      at,
      state: 'own',
      reason: null,
      text,
      buttons: [],
      waiting: null,
    }),
  );
  return [...own, ...sent].toSorted((one, other) => one.at - other.at).slice(-MESSAGES);
}
