import type { AlertStore } from '../tables/alert-store.ts';
import { deleteConfirmationRequest } from '../tables/confirmation-requests.ts';
import { recordConsent } from '../tables/consent.ts';
import {
  type Contact,
  contactById,
  findContact,
  keepContact,
  recordUserId,
  recordWriting,
} from '../tables/contacts.ts';
import { eraseContact } from '../tables/erasure.ts';
import { raiseNotice } from '../tables/notices.ts';
import type { Sender } from '../tables/sender.ts';
import { isSuppressed, liftSuppression, stopContact, suppress } from '../tables/stops.ts';
import {
  activeWatches,
  endUnconfirmedWatches,
  endWatch,
  lastToldWatch,
  openWatches,
  startWatches,
  type Watch,
  watchByNumber,
} from '../tables/watches.ts';
import { holidayLink, usableSearch } from '../texts/holiday-link.ts';
import {
  ASK_DELETE,
  ASK_DELETE_BUTTONS,
  ASK_STOP,
  ASK_STOP_BUTTONS,
  ASK_WHICH,
  COMMANDS,
  DECLINED,
  dataLines,
  ERASED,
  helpLines,
  KEPT,
  NOT_ON_SALE,
  quietLines,
  STARTED,
  STOPPED,
  seeLines,
  WHICH_WATCH,
} from '../texts/message-text.ts';
import { openQuestion } from './open-question.ts';
import type { Command } from './reading/command.ts';
import { readCommand } from './reading/read-command.ts';
import { type NamedWatch, scopeCommand } from './reading/scope.ts';
import {
  answerStopped,
  type InboundContext,
  listLines,
  mayReply,
  ownPageLink,
  reply,
  watchLines,
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

/** `stopped`: the person whose running calls the caller must end before it responds. */
interface Processed {
  stopped: number | null;
}

const NOT_STOPPED: Processed = { stopped: null };

export function processInboundMessage(context: InboundContext, inbound: InboundMessage): Processed {
  const { store, now } = context;
  const { sender } = inbound;
  const at = inbound.at ?? now;
  const command = readCommand(inbound);
  const found = findContact(store, sender);
  if (found === null) {
    processUnknownSender(store, sender, { command, at }, now);
    return NOT_STOPPED;
  }
  if (sender.userId !== null) recordUserId(store, found, sender.userId);
  // Read again, because recording the user ID may have changed the record.
  const contact = contactById(store, found.id) ?? found;
  recordWriting(store, contact, at);
  return obey(context, { sender, contact, at }, inContext(context, contact, inbound, command));
}

/** Interprets a command in the light of our last question and the names of the person's watches. */
function inContext(
  { store, now }: InboundContext,
  contact: Contact,
  { text, payload }: InboundMessage,
  command: Command,
): Command {
  const question = openQuestion(store, contact, now);
  // Deleting cannot be undone, so a button of an old message asks again.
  if (command.kind === 'delete') return question === 'delete' ? command : { kind: 'ask-delete' };
  // A pressed YES answers the button's own message, not our question, whose buttons have other payloads.
  if (payload !== null) return command;
  if (question !== null && command.kind === 'no') return { kind: 'keep' };
  if (question === 'delete' && (command.kind === 'yes' || command.kind === 'ask-delete'))
    return { kind: 'delete' };
  if (question === 'stop' && command.kind === 'yes') return { kind: 'stop' };
  const [, number] = /^\s*(\d{1,4})\s*$/.exec(text) ?? [];
  if (question === 'stop' && number !== undefined) return { kind: 'stop-one', numbers: [Number(number)] };
  return scopeCommand(command, text, namedWatches(store, contact));
}

/** A person's watches, with the names that people use for them. */
function namedWatches(store: AlertStore, contact: Contact): NamedWatch[] {
  return openWatches(store, contact.id).map(({ number, itemKey }) => {
    const onSale = store.packages.find(itemKey);
    const names = onSale === null ? [] : [onSale.hotelName, onSale.resort, onSale.region, onSale.country];
    return { number, names, departure: onSale?.departure ?? null };
  });
}

function obey(context: InboundContext, known: Known, command: Command): Processed {
  const { contact } = known;
  const answer = (...lines: string[]) => reply(context, contact, lines);
  switch (command.kind) {
    case 'stop':
      return stop(context, known);
    case 'delete':
      return erase(context, known);
    case 'no':
      return declineOrAsk(context, known);
    case 'ask':
      askWhetherToStop(context, contact);
      break;
    case 'hours':
      askWhetherToStop(context, contact, quietLines(context.quietHours));
      break;
    case 'ask-delete':
      answerStopped(context, contact, [ASK_DELETE], ASK_DELETE_BUTTONS);
      break;
    case 'data-question':
      answerStopped(context, contact, dataLines(ownPageLink(context, contact), context.siteUrl));
      break;
    case 'stop-one':
      stopOne(context, known, command.numbers);
      break;
    case 'keep':
      answer(KEPT, ...listLines(context, contact));
      break;
    case 'start':
      liftSuppression(context.store, known.sender, contact, known.at);
      startWatching(context, contact);
      break;
    case 'yes':
      startWatching(context, contact);
      break;
    case 'list':
      answer(...listLines(context, contact));
      break;
    case 'see':
      answer(...seen(context, contact, command.number));
      break;
    case 'help':
      answer(...helpLines(context.brandName));
      break;
    case 'none':
      if (mayReply(context, contact, 'nothing')) answer(...helpLines(context.brandName));
      break;
  }
  return NOT_STOPPED;
}

/** Processes a stop made in the provider's own settings, which gets no reply. */
export function stopSender(context: InboundContext, sender: Sender, at: number | null): Processed {
  const { store, now } = context;
  const contact = findContact(store, sender);
  const since = at ?? now;
  if (contact === null) {
    processUnknownSender(store, sender, { command: { kind: 'stop' }, at: since }, now);
    return NOT_STOPPED;
  }
  return { stopped: stopContact(store, contact, { at: since, now, sender }) ? contact.id : null };
}

/** Handles a message from an unknown sender: no reply, but a stop takes effect. */
function processUnknownSender(
  store: AlertStore,
  sender: Sender,
  { command, at }: { command: Command; at: number },
  now: number,
): void {
  if (command.kind === 'stop' || command.kind === 'stop-one' || command.kind === 'ask-delete') {
    suppress(store, sender, null, at);
    const name = sender.number === null ? 'a user ID without a number' : 'a number';
    // The notice's text has no time, so that repeated stops raise one notice an hour.
    raiseNotice(store, 'unmatched stop', `STOP from ${name} without a known watch`, now);
  }
  if (command.kind === 'start') liftSuppression(store, sender, null, at);
}

/** Stops a contact's alerts. Only the first STOP gets a reply. */
function stop(context: InboundContext, { sender, contact, at }: Known): Processed {
  const { store, now } = context;
  const wasStopped = isSuppressed(store, contact);
  if (!stopContact(store, contact, { at, now, sender })) return NOT_STOPPED;
  if (!wasStopped) answerStopped(context, contact, [STOPPED]);
  return { stopped: contact.id };
}

/** Stops a person and erases their data, once they have confirmed it. */
function erase(context: InboundContext, { sender, contact, at }: Known): Processed {
  const { store, now } = context;
  if (!stopContact(store, contact, { at, now, sender })) return NOT_STOPPED;
  eraseContact(store, contact, now);
  answerStopped(context, contact, [ERASED]);
  return { stopped: contact.id };
}

/**
 * Handles NO. It ends the watches that wait for YES, and is a STOP if the person has no others. If no watch
 * waits for YES, NO may be a STOP, so we ask.
 */
function declineOrAsk(context: InboundContext, known: Known): Processed {
  const { store, now } = context;
  const { contact } = known;
  const isWatching = activeWatches(store, contact.id, now).length > 0;
  const waiting = store.sql.get`select 1 from alert_watch where contact = ${contact.id} and state = 'asked'`;
  if (waiting !== undefined && !isWatching) return stop(context, known);
  if (waiting === undefined) {
    askWhetherToStop(context, contact);
    return NOT_STOPPED;
  }
  endUnconfirmedWatches(store, contact.id, now);
  deleteConfirmationRequest(store, contact.id);
  reply(context, contact, [DECLINED, ...listLines(context, contact)]);
  return NOT_STOPPED;
}

/** Asks whether to stop all alerts. A person with several watches may answer with a watch's number. */
function askWhetherToStop(context: InboundContext, contact: Contact, before: readonly string[] = []): void {
  const watching = watchLines(context, contact);
  const isSeveral = activeWatches(context.store, contact.id, context.now).length > 1;
  reply(
    context,
    contact,
    [...before, ASK_STOP, ...(isSeveral ? [ASK_WHICH, '', ...watching] : [])],
    ASK_STOP_BUTTONS,
  );
}

/** Handles YES and START: starts the unconfirmed watches of a person who is not stopped. */
function startWatching(context: InboundContext, contact: Contact): void {
  const { store, now } = context;
  if (isSuppressed(store, contact)) return;
  keepContact(store, contact.id);
  const started = startWatches(store, contact.id, now);
  if (started.length === 0) {
    reply(context, contact, listLines(context, contact));
    return;
  }
  deleteConfirmationRequest(store, contact.id);
  for (const { itemKey } of started) recordConsent(store, { contact, act: 'confirmed', itemKey, now });
  reply(context, contact, [...watchLines(context, contact), '', STARTED, COMMANDS]);
}

/** Ends the watches with these numbers; without numbers, the one that the last alert was about. */
function stopOne(context: InboundContext, { contact }: Known, numbers: readonly number[]): void {
  const { store, now } = context;
  const wanted = numbers.length > 0 ? watchesOf(store, contact, numbers) : onlyWatch(context, contact);
  for (const { id } of wanted) endWatch(store, id, now);
  const ended = wanted.map(({ number }) => `We've stopped alert ${number}.`);
  const missing = numbers
    .filter((number) => !wanted.some((watch) => watch.number === number))
    .map((number) => `You don't have an alert ${number}.`);
  const first = numbers.length === 0 && wanted.length === 0 ? [WHICH_WATCH] : [...ended, ...missing];
  reply(context, contact, [...first, ...listLines(context, contact)]);
}

function watchesOf(store: AlertStore, contact: Contact, numbers: readonly number[]): Watch[] {
  return numbers
    .map((number) => watchByNumber(store, contact.id, number))
    .filter((watch): watch is Watch => watch !== null);
}

/** The watch that the last alert was about; without an alert, the person's only watch. */
function onlyWatch({ store, now }: InboundContext, contact: Contact): Watch[] {
  const told = lastToldWatch(store, contact.id);
  if (told !== null) return [told];
  const active = activeWatches(store, contact.id, now);
  return active.length === 1 ? active : [];
}

/** The reply to the button 'See it'. */
function seen({ store, siteUrl, now }: InboundContext, contact: Contact, number: number): string[] {
  const watch = watchByNumber(store, contact.id, number);
  const onSale = watch && store.packages.find(watch.itemKey);
  if (watch === null || onSale === null) return [NOT_ON_SALE, COMMANDS];
  return seeLines(onSale, holidayLink(siteUrl, onSale, { search: usableSearch(watch, now) }));
}
