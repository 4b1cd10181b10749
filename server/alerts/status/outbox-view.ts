import * as v from 'valibot';
import { formatWholePounds } from '../../../domain/money.ts';
import type { AlertStore } from '../records/alert-store.ts';
import { describePackage, messageText } from '../records/message-text.ts';
import { decryptNumber, personById } from '../records/people.ts';
import { isSuppressed } from '../records/suppression.ts';

/** The content of `/outbox`: each phone, its watches and its messages. */
export interface OutboxView {
  phones: {
    person: number;
    /** The last three digits of the number. */
    ending: string;
    isStopped: boolean;
    watches: { id: number; number: number; isActive: boolean; description: string; price: string | null }[];
    messages: { id: number; at: number; state: string; reason: string | null; text: string | null }[];
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

function messagesOf({ sql }: AlertStore, person: number): OutboxView['phones'][number]['messages'] {
  const rows = sql.all`select id, state, reason, due_at, settled_at, body from alert_message
    where person = ${person} order by id desc limit ${MESSAGES}`;
  return rows.toReversed().map(({ id, state, reason, due_at, settled_at, body }) => ({
    id: Number(id),
    at: Number(settled_at ?? due_at),
    state: String(state),
    reason: typeof reason === 'string' ? reason : null,
    text: typeof body === 'string' ? v.parse(keptText, body).text : null,
  }));
}
