import { type EmailWriting, renderEmail } from '../rendering/email-message.ts';
import type { LinkedMessage } from '../rendering/message-links.ts';
import { renderNotification } from '../rendering/notification.ts';
import { renderWhatsApp } from '../rendering/whatsapp-message.ts';
import type { AlertSession } from '../tables/alert-store.ts';
import { type Channel, type Contact, decryptContact, newestContacts } from '../tables/contacts.ts';
import { type MessageText, readText } from '../tables/messages.ts';
import { isSuppressed } from '../tables/stops.ts';
import { openWatches } from '../tables/watches.ts';
import { pushHost } from '../texts/contact-name.ts';

export type OutboxView = Awaited<ReturnType<typeof outboxView>>;

const MAX_CONTACTS = 20;
const MAX_MESSAGES = 30;

/** The content of `/outbox`: each phone, inbox and browser with its messages. */
export async function outboxView(store: AlertSession, writing: EmailWriting | null) {
  return {
    phones: await Promise.all(
      (await newestContacts(store, MAX_CONTACTS)).map((contact) => phoneOf(store, contact, writing)),
    ),
  };
}

async function phoneOf(store: AlertSession, contact: Contact, writing: EmailWriting | null) {
  const { id, channel } = contact;
  return {
    contact: id,
    channel,
    /** The last three digits of a number, the address of an inbox, a topic, or the host of a browser's push service. */
    name: nameOf(channel, await decryptContact(store, id)),
    isStopped: await isSuppressed(store, contact),
    hasWatches: (await openWatches(store, id)).some(({ state }) => state === 'active'),
    messages: await messagesOf(store, contact, writing),
  };
}

function nameOf(channel: Channel, address: string): string {
  if (channel === 'whatsapp') return address.slice(-3);
  return channel === 'push' ? pushHost(address) : address;
}

interface Row {
  state: string;
  reason: string | null;
  due_at: number;
  settled_at: number | null;
  created_at: number;
  watch: number | null;
  body: string | null;
  answers_stop: number;
}

/** Messages, oldest first. */
async function messagesOf(store: AlertSession, contact: Contact, writing: EmailWriting | null) {
  const { id: contactId, createdAt: contactSince, channel } = contact;
  const rows = await store.sql.all<Row>`
    select state, reason, due_at, settled_at, created_at, watch, body, answers_stop from alert_message
    where contact = ${contactId} order by id desc limit ${MAX_MESSAGES}`;
  const messages = rows.toReversed().map((row) => {
    const { state, reason, due_at, settled_at, created_at: createdAt, watch } = row;
    const body = readText(row.body);
    const about = { contact: contactId, contactSince, watch, createdAt };
    const links = row.answers_stop === 1 ? null : writing;
    const isSent = state !== 'queued' && state !== 'dropped';
    return {
      at: settled_at ?? due_at,
      state,
      reason,
      /** Exactly what the channel shows; null before it is composed. */
      text: body === null ? null : textOf(channel, { body, about }, links),
      buttons: isSent && channel === 'whatsapp' ? (body?.buttons ?? []) : [],
      /** When the message is due, if it waits; else null. */
      waitsUntil: state === 'queued' && due_at > createdAt ? due_at : null,
    };
  });
  return messages.toSorted((one, other) => one.at - other.at);
}

function textOf(
  channel: Channel,
  { body, about }: { body: MessageText; about: LinkedMessage },
  writing: EmailWriting | null,
): string {
  const links = writing?.links(about) ?? null;
  if (channel === 'whatsapp' || writing === null || links === null)
    return renderWhatsApp(body, links?.manage ?? null).text;
  if (channel === 'email') {
    const { subject, text } = renderEmail(writing, body, links);
    return `${subject}\n\n${text}`;
  }
  const { title, body: shown, url } = renderNotification(writing.brandName, body, links, about.watch);
  return `${title}\n\n${shown}\n\n${url}`;
}
