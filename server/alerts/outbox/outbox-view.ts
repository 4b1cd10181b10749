import { formatWholePounds } from '../../../domain/money.ts';
import { type EmailMessage, renderEmail } from '../rendering/email-message.ts';
import type { LinkedMessage, LinkMaker, MessageLinks } from '../rendering/message-links.ts';
import { type AlertNotification, renderNotification } from '../rendering/notification.ts';
import { renderWhatsApp } from '../rendering/whatsapp-message.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { type Channel, contactById, decryptContact } from '../tables/contacts.ts';
import { type MessageButton, type MessageText, readText } from '../tables/messages.ts';
import { ownAnswers } from '../tables/own-answers.ts';
import { isSuppressed } from '../tables/stops.ts';
import { pushHost } from '../texts/contact-name.ts';
import { describePackage } from '../texts/message-text.ts';

/** A message to a phone, or a reply from it. */
export interface OutboxMessage {
  /** Null for a reply from the phone. */
  id: number | null;
  at: number;
  state: string;
  reason: string | null;
  text: string | null;
  buttons: readonly MessageButton[];
  /** The message as its channel writes it; omitted on WhatsApp, and before it is composed. */
  email?: EmailMessage & { links: MessageLinks };
  notification?: AlertNotification;
  /** When the message is due, if it waits; else null. */
  waitsUntil: number | null;
}

export type OutboxView = ReturnType<typeof outboxView>;

const MAX_PHONES = 20;
const MAX_MESSAGES = 30;

/** What is needed to write emails and notifications. */
interface Writing {
  brandName: string;
  links: LinkMaker;
}

/** The content of `/outbox`: each phone, inbox and browser with its watches and messages. */
export function outboxView(store: AlertStore, writing: Writing | null) {
  const people = store.sql.all`select id from alert_contact order by id desc limit ${MAX_PHONES}`;
  return { phones: people.map(({ id }) => phoneOf(store, Number(id), writing)) };
}

function phoneOf(store: AlertStore, id: number, writing: Writing | null) {
  const contact = contactById(store, id);
  const channel = contact?.channel ?? 'whatsapp';
  return {
    contact: id,
    channel,
    /** The last three digits of a number, the address of an inbox, or the host of a browser's push service. */
    name: nameOf(channel, decryptContact(store, id)),
    isStopped: contact !== null && isSuppressed(store, contact),
    watches: watchesOf(store, id),
    messages: messagesOf(store, { contact: id, contactSince: contact?.createdAt ?? 0 }, channel, writing),
  };
}

function nameOf(channel: Channel, address: string): string {
  if (channel === 'whatsapp') return address.slice(-3);
  if (channel === 'email') return address;
  return pushHost(address);
}

function watchesOf({ sql, packages }: AlertStore, contact: number) {
  const rows = sql.all`select id, number, item_key, state from alert_watch
    where contact = ${contact} and state <> 'ended' order by number`;
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

interface Row {
  id: number;
  state: string;
  reason: string | null;
  due_at: number;
  settled_at: number | null;
  created_at: number;
  watch: number | null;
  body: string | null;
  answers_stop: number;
}

/** Messages and replies by time. At equal times, the person's reply comes before ours. */
function messagesOf(
  store: AlertStore,
  { contact, contactSince }: { contact: number; contactSince: number },
  channel: Channel,
  writing: Writing | null,
): OutboxMessage[] {
  const rows = store.sql.all<Row>`
    select id, state, reason, due_at, settled_at, created_at, watch, body, answers_stop from alert_message
    where contact = ${contact} order by id desc limit ${MAX_MESSAGES}`;
  const sent = rows.toReversed().map((row): OutboxMessage => {
    const { id, state, reason, due_at, settled_at, created_at, watch } = row;
    const body = readText(row.body);
    const about = { contact, contactSince, watch, createdAt: created_at };
    const manage = writing === null || row.answers_stop === 1 ? null : writing.links(about).manage;
    return {
      id,
      at: settled_at ?? due_at,
      state,
      reason,
      text: body === null ? null : renderWhatsApp(body, manage).text,
      buttons: body?.buttons ?? [],
      ...written(channel, body, about, writing),
      waitsUntil: state === 'queued' && due_at > created_at ? due_at : null,
    };
  });
  const own = ownAnswers(store, contact, MAX_MESSAGES).map(
    (answer): OutboxMessage => ({
      ...answer,
      id: null,
      state: 'own',
      reason: null,
      buttons: [],
      waitsUntil: null,
    }),
  );
  return [...own, ...sent].toSorted((one, other) => one.at - other.at).slice(-MAX_MESSAGES);
}

function written(
  channel: Channel,
  body: MessageText | null,
  about: LinkedMessage,
  writing: Writing | null,
): Pick<OutboxMessage, 'email' | 'notification'> {
  if (body === null || writing === null || channel === 'whatsapp') return {};
  const { brandName } = writing;
  const links = writing.links(about);
  return channel === 'email'
    ? { email: { ...renderEmail(brandName, body, links), links } }
    : { notification: renderNotification(brandName, body, links, about.watch) };
}
