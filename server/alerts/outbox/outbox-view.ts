import * as v from 'valibot';
import { formatWholePounds } from '../../../domain/money.ts';
import { type EmailMessage, renderEmail } from '../rendering/email-message.ts';
import type { LinkedMessage, LinkMaker, MessageLinks } from '../rendering/message-links.ts';
import { type AlertNotification, renderNotification } from '../rendering/notification.ts';
import { renderWhatsApp } from '../rendering/whatsapp-message.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { type MessageButton, type MessageText, messageText } from '../tables/messages.ts';
import { ownAnswers } from '../tables/own-answers.ts';
import { decryptContact, personById } from '../tables/people.ts';
import type { Channel } from '../tables/stop-scope.ts';
import { isSuppressed } from '../tables/suppression.ts';
import { pushHost } from '../texts/contact-name.ts';
import { describePackage } from '../texts/message-text.ts';

/** A message to a phone, or an answer from it. */
export interface OutboxMessage {
  /** Null: an answer from the phone. */
  id: number | null;
  isOwn: boolean;
  at: number;
  state: string;
  reason: string | null;
  text: string | null;
  buttons: readonly MessageButton[];
  /** The message as the channel writes it; null on WhatsApp, and before it is composed. */
  email: (EmailMessage & { links: MessageLinks }) | null;
  notification: AlertNotification | null;
  /** A message that waits for its time, and until when; null for others. */
  waiting: { message: number; until: number } | null;
}

export type OutboxView = ReturnType<typeof outboxView>;

const keptText = v.pipe(v.string(), v.parseJson(), messageText);

/** The most phones shown, newest first, and messages of each, newest last. */
const PHONES = 20;
const MESSAGES = 30;

/** What emails and notifications are written with; null if they are not offered. */
interface Writing {
  brandName: string;
  links: LinkMaker;
}

/** The content of `/outbox`: each phone, inbox and browser, its watches and its messages. */
export function outboxView(store: AlertStore, writing: Writing | null) {
  const people = store.sql.all`select id from alert_person order by id desc limit ${PHONES}`;
  return { phones: people.map(({ id }) => phoneOf(store, Number(id), writing)) };
}

function phoneOf(store: AlertStore, id: number, writing: Writing | null) {
  const person = personById(store, id);
  const channel = person?.channel ?? 'whatsapp';
  return {
    person: id,
    channel,
    /** The last three digits of a number, the address of an inbox, or the host of a browser's push service. */
    name: nameOf(channel, decryptContact(store, id)),
    isStopped: person !== null && isSuppressed(store, person),
    watches: watchesOf(store, id),
    messages: messagesOf(store, { id, since: person?.createdAt ?? 0 }, channel, writing),
  };
}

function nameOf(channel: Channel, address: string): string {
  if (channel === 'whatsapp') return address.slice(-3);
  if (channel === 'email') return address;
  return pushHost(address);
}

function watchesOf({ sql, packages }: AlertStore, person: number) {
  const rows = sql.all`select id, number, item_key, state from alert_watch
    where person = ${person} and state <> 'ended' order by number`;
  return rows.map(({ id, number, item_key, state }) => {
    const watched = packages.find(String(item_key));
    return {
      id: Number(id),
      number: Number(number),
      isActive: state === 'active',
      description: watched === null ? "A holiday that isn't on sale at the moment" : describePackage(watched),
      price: watched === null ? null : formatWholePounds(watched.price),
    };
  });
}

/** Messages and answers, in the order of their times; an answer comes before the replies of its instant. */
function messagesOf(
  store: AlertStore,
  { id: person, since: personSince }: { id: number; since: number },
  channel: Channel,
  writing: Writing | null,
): OutboxMessage[] {
  const rows = store.sql
    .all`select id, state, reason, due_at, settled_at, created_at, watch, body, answers_stop from alert_message
    where person = ${person} order by id desc limit ${MESSAGES}`;
  const sent = rows.toReversed().map((row): OutboxMessage => {
    const { id, state, reason, due_at, settled_at, created_at, watch, body, answers_stop } = row;
    const kept = typeof body === 'string' ? v.parse(keptText, body) : null;
    const about = {
      person,
      personSince,
      watch: watch === null ? null : Number(watch),
      createdAt: Number(created_at),
    };
    const manage = writing === null || answers_stop === 1 ? null : writing.links(about).manage;
    return {
      id: Number(id),
      isOwn: false,
      at: Number(settled_at ?? due_at),
      state: String(state),
      reason: typeof reason === 'string' ? reason : null,
      text: kept === null ? null : renderWhatsApp(kept, manage).text,
      buttons: kept?.buttons ?? [],
      ...written(channel, kept, about, writing),
      waiting:
        state === 'queued' && Number(due_at) > Number(created_at)
          ? { message: Number(id), until: Number(due_at) }
          : null,
    };
  });
  const own = ownAnswers(store, person, MESSAGES).map(
    ({ text, at }): OutboxMessage => ({
      id: null,
      isOwn: true,
      at,
      state: 'own',
      reason: null,
      text,
      buttons: [],
      email: null,
      notification: null,
      waiting: null,
    }),
  );
  return [...own, ...sent].toSorted((one, other) => one.at - other.at).slice(-MESSAGES);
}

function written(
  channel: Channel,
  body: MessageText | null,
  about: LinkedMessage,
  writing: Writing | null,
): Pick<OutboxMessage, 'email' | 'notification'> {
  if (body === null || writing === null || channel === 'whatsapp') return { email: null, notification: null };
  const { brandName } = writing;
  const links = writing.links(about);
  return channel === 'email'
    ? { email: { ...renderEmail(brandName, body, links), links }, notification: null }
    : { email: null, notification: renderNotification(brandName, body, links, about.watch) };
}
