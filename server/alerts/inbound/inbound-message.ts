import { mapInOrder } from '../../lib/map-in-order.ts';
import { beginSearches } from '../matching/search-looks.ts';
import { askAboutUnconfirmed } from '../sign-up/ask-to-confirm.ts';
import type { AlertSession } from '../tables/alert-store.ts';
import { answersConfirmationRequest, deleteConfirmationRequest } from '../tables/confirmation-requests.ts';
import { recordConsent } from '../tables/consent.ts';
import {
  type Contact,
  contactById,
  findContact,
  keepContact,
  recordUserId,
  recordWriting,
} from '../tables/contacts.ts';
import { toldFirst } from '../tables/messages.ts';
import { raiseNotice } from '../tables/notices.ts';
import type { Sender } from '../tables/sender.ts';
import { isSuppressed, liftSuppression, stopContact, suppress } from '../tables/stops.ts';
import {
  endUnconfirmedWatches,
  endWatch,
  findWatch,
  restartWatch,
  resumeWatches,
  startWatches,
  watchByNumber,
} from '../tables/watches.ts';
import { holidayLink, usableSearch } from '../texts/holiday-link.ts';
import {
  COMMANDS,
  dataLine,
  declinedLine,
  endedLines,
  NOT_ON_SALE,
  STARTED,
  STILL_PAUSED,
  seeLines,
} from '../texts/message-text.ts';
import { type Reply, readReply } from './read-reply.ts';
import {
  answerHelp,
  answerList,
  answerStop,
  answerStopped,
  type InboundContext,
  mayReply,
  ownPageLink,
  reply,
} from './replies.ts';

export interface InboundMessage {
  sender: Sender;
  text: string;
  /** The pressed button's payload; null for a typed message. */
  payload: string | null;
  /** When it was sent, in milliseconds since 1970; null if the provider does not say. */
  at: number | null;
}

interface Known {
  sender: Sender;
  contact: Contact;
  /** When the message was sent. Messages may arrive out of order. */
  at: number;
}

/** Returns the person whose running calls the caller must end before it responds, or null. */
export async function processInboundMessage(
  context: InboundContext,
  inbound: InboundMessage,
): Promise<number | null> {
  const { store, now } = context;
  const { sender } = inbound;
  const at = inbound.at ?? now;
  const said = readReply(inbound);
  const found = await findContact(store, sender);
  if (found === null) return processUnknownSender(store, sender, said.kind, at, now);
  if (sender.userId !== null) await recordUserId(store, found, sender.userId);
  // Read again, because recording the user ID may have changed the record.
  const contact = (await contactById(store, found.id)) ?? found;
  await recordWriting(store, contact, at);
  const known = { sender, contact, at };
  if (said.kind === 'stop') return stop(context, known, said.isAboutData);
  await act(context, known, said);
  return null;
}

async function act(
  context: InboundContext,
  known: Known,
  said: Exclude<Reply, { kind: 'stop' }>,
): Promise<void> {
  const { contact } = known;
  switch (said.kind) {
    case 'stop-some':
      return endSome(context, contact, said.numbers);
    case 'start':
      return start(context, known, said.numbers);
    case 'data':
      return answerStopped(context, contact, [dataLine(ownPageLink(context, contact))]);
    case 'yes':
      return confirm(context, known);
    case 'no':
      return decline(context, known);
    case 'list':
      return answerList(context, contact);
    case 'see':
      return reply(context, contact, await seen(context, contact, said.message));
    case 'help':
      return answerHelp(context, contact);
    case 'other':
      return answerOther(context, contact);
    case 'nothing':
  }
}

/** Processes a stop made in the provider's own settings, which gets no reply. */
export async function stopSender(
  context: InboundContext,
  sender: Sender,
  at: number | null,
): Promise<number | null> {
  const { store, now } = context;
  const contact = await findContact(store, sender);
  const since = at ?? now;
  if (contact === null) return processUnknownSender(store, sender, 'stop', since, now);
  return (await stopContact(store, contact, { at: since, now, sender })) ? contact.id : null;
}

/** Handles a message from an unknown sender: no reply, but a stop takes effect. */
async function processUnknownSender(
  store: AlertSession,
  sender: Sender,
  kind: Reply['kind'],
  at: number,
  now: number,
): Promise<null> {
  const name = sender.number === null ? 'a user ID without a number' : 'a number';
  // The notices' texts have no time, so that repeated messages raise one notice an hour.
  if (kind === 'stop' || kind === 'stop-some') {
    await suppress(store, sender, null, at);
    await raiseNotice(store, 'unmatched stop', `STOP from ${name} without a known watch`, now);
  }
  if (kind === 'data')
    await raiseNotice(
      store,
      'unmatched data',
      `A message about data from ${name} without a known watch`,
      now,
    );
  if (kind === 'start') await liftSuppression(store, sender, null, at);
  return null;
}

/** Pauses a contact's alerts. Every stop gets an answer, unless the answer to another is still queued. */
async function stop(
  context: InboundContext,
  { sender, contact, at }: Known,
  isAboutData: boolean,
): Promise<number | null> {
  const { store, now } = context;
  if (!(await stopContact(store, contact, { at, now, sender }))) return null;
  await answerStop(context, contact, isAboutData);
  return contact.id;
}

/** Brings back all paused watches, or those with these numbers, unless the person has sent STOP since. */
async function start(
  context: InboundContext,
  { sender, contact, at }: Known,
  numbers: readonly number[] | null,
): Promise<void> {
  const { store, now } = context;
  if (!(await liftSuppression(store, sender, contact, at))) return;
  const resumed =
    numbers === null
      ? await resumeWatches(store, contact.id, now)
      : (await mapInOrder(numbers, (number) => restartWatch(store, contact.id, number, now))).flat();
  await keepContact(store, contact.id);
  await beginSearches(store.session, contact.id, now);
  for (const { itemKey } of resumed) await recordConsent(store, contact, 'confirmed', itemKey, now);
  await answerList(context, contact);
  await askAboutUnconfirmed(context, contact, now);
}

/** Starts the watches that wait for confirmation. A stopped person has none. */
async function confirm(context: InboundContext, { contact, at }: Known): Promise<void> {
  const { store, now } = context;
  if ((await isSuppressed(store, contact)) || !(await answersConfirmationRequest(store, contact, at))) return;
  const started = await startWatches(store, contact.id, { confirmedAt: at + 999, now });
  if (started.length === 0) return;
  await keepContact(store, contact.id);
  await beginSearches(store.session, contact.id, now);
  await deleteConfirmationRequest(store, contact.id);
  for (const { itemKey } of started) await recordConsent(store, contact, 'confirmed', itemKey, now);
  await answerList(context, contact, [STARTED, COMMANDS]);
  await askAboutUnconfirmed(context, contact, now);
}

/** Ends the watches that wait for confirmation. If there are none, NO asks for nothing that we know. */
async function decline(context: InboundContext, { contact, at }: Known): Promise<void> {
  const { store, now } = context;
  const ended = (await answersConfirmationRequest(store, contact, at))
    ? await endUnconfirmedWatches(store, contact.id, { declinedAt: at + 999, now })
    : [];
  if (ended.length === 0) await answerOther(context, contact);
  else {
    await deleteConfirmationRequest(store, contact.id);
    await reply(context, contact, [declinedLine(ended.map(({ number }) => number))]);
  }
}

/** Ends the watches with these numbers. START and the number undoes it. */
async function endSome(context: InboundContext, contact: Contact, numbers: readonly number[]): Promise<void> {
  const { store, now } = context;
  const named = await mapInOrder(numbers, (number) => watchByNumber(store, contact.id, number));
  const watches = named.filter((watch) => watch !== null);
  for (const { id } of watches) await endWatch(store, id, now);
  const ended = watches.map(({ number }) => number);
  const lines = endedLines(
    ended,
    numbers.filter((number) => !ended.includes(number)),
  );
  if (await isSuppressed(store, contact)) await answerStopped(context, contact, [...lines, STILL_PAUSED]);
  else await answerList(context, contact, [COMMANDS], lines);
}

/** Answers a message that asks for nothing that we know: once a day. */
async function answerOther(context: InboundContext, contact: Contact): Promise<void> {
  if (!(await isSuppressed(context.store, contact)) && (await mayReply(context, contact, 'nothing')))
    await answerHelp(context, contact);
}

/** The reply to the button 'See it'. */
async function seen(
  { store, siteUrl, now }: InboundContext,
  contact: Contact,
  message: number,
): Promise<string[]> {
  const told = await toldFirst(store, contact.id, message);
  const onSale = told && (await store.packages.find(told.itemKey));
  if (onSale === null) return [NOT_ON_SALE, COMMANDS];
  // The search of a watch may not find a similar package.
  const watch = await findWatch(store, contact.id, onSale.itemKey);
  return seeLines(onSale, holidayLink(siteUrl, onSale, watch && usableSearch(watch, now)));
}
