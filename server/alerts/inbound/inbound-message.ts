import type { AlertStore } from '../tables/alert-store.ts';
import { deleteConfirmationRequest } from '../tables/confirmation-requests.ts';
import { recordConsent } from '../tables/consent.ts';
import { erasePerson } from '../tables/erase-person.ts';
import { raiseNotice } from '../tables/notices.ts';
import {
  findPerson,
  keepPerson,
  type Person,
  personById,
  recordUserId,
  recordWriting,
} from '../tables/people.ts';
import type { Sender } from '../tables/sender.ts';
import { stopPerson } from '../tables/stop-person.ts';
import { isSuppressed, liftSuppression, suppress } from '../tables/suppression.ts';
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
import { holidayLink } from '../texts/holiday-link.ts';
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
  mayAnswerNothing,
  ownPageLink,
  reply,
  watchLines,
} from './replies.ts';

/** A message from a person. */
export interface InboundMessage {
  sender: Sender;
  text: string;
  /** Of the button that was pressed; null if none was. */
  payload: string | null;
  /** When it was sent, by the provider's clock; null if the provider does not say. Milliseconds since 1970. */
  at: number | null;
}

/** A sender who is known, and a message of theirs. */
interface Known {
  sender: Sender;
  person: Person;
  /** When the message was sent. Messages arrive in any order. */
  at: number;
}

/** The person whom a message has stopped, if any: the caller ends the calls to them before it responds. */
interface Processed {
  stopped: number | null;
}

const NOT_STOPPED: Processed = { stopped: null };

/** Processes a message from a person, inside the caller's transaction. */
export function processInboundMessage(context: InboundContext, inbound: InboundMessage): Processed {
  const { store, now } = context;
  const { sender } = inbound;
  const at = inbound.at ?? now;
  const command = readCommand(inbound);
  const found = findPerson(store, sender);
  if (found === null) {
    processUnknownSender(store, sender, { command, at }, now);
    return NOT_STOPPED;
  }
  if (sender.userId !== null) recordUserId(store, found, sender.userId);
  // Read again, because recording the user ID may have changed the person.
  const person = personById(store, found.id) ?? found;
  recordWriting(store, person, at);
  return obey(context, { sender, person, at }, inContext(context, person, inbound, command));
}

/** A command in the light of what we last asked, and of the watches that a stop may name. */
function inContext(
  { store, now }: InboundContext,
  person: Person,
  { text, payload }: InboundMessage,
  command: Command,
): Command {
  const question = openQuestion(store, person, now);
  // Deleting cannot be undone, so an old button asks again.
  if (command.kind === 'delete') return question === 'delete' ? command : { kind: 'ask-delete' };
  // The 'yes' of a button belongs to an earlier message: our questions have other buttons.
  if (payload !== null) return command;
  if (question !== null && command.kind === 'no') return { kind: 'keep' };
  if (question === 'delete' && (command.kind === 'yes' || command.kind === 'ask-delete'))
    return { kind: 'delete' };
  if (question === 'stop' && command.kind === 'yes') return { kind: 'stop' };
  const [, number] = /^\s*(\d{1,4})\s*$/.exec(text) ?? [];
  if (question === 'stop' && number !== undefined) return { kind: 'stop-one', numbers: [Number(number)] };
  return scopeCommand(command, text, namedWatches(store, person));
}

/** A person's watches, with what people call them. */
function namedWatches(store: AlertStore, person: Person): NamedWatch[] {
  return openWatches(store, person.id).map(({ number, itemKey }) => {
    const onSale = store.packages.find(itemKey);
    const names = onSale === null ? [] : [onSale.hotelName, onSale.resort, onSale.region, onSale.country];
    return { number, names, departure: onSale?.departure ?? null };
  });
}

function obey(context: InboundContext, known: Known, command: Command): Processed {
  const { person } = known;
  const answer = (...lines: string[]) => reply(context, person, lines);
  switch (command.kind) {
    case 'stop':
      return stop(context, known);
    case 'delete':
      return erase(context, known);
    case 'no':
      return declineOrAsk(context, known);
    case 'ask':
      askWhetherToStop(context, person);
      break;
    case 'hours':
      askWhetherToStop(context, person, quietLines(context.quietHours));
      break;
    case 'ask-delete':
      answerStopped(context, person, [ASK_DELETE], ASK_DELETE_BUTTONS);
      break;
    case 'data-question':
      answerStopped(context, person, dataLines(ownPageLink(context, person), context.siteUrl));
      break;
    case 'stop-one':
      stopOne(context, known, command.numbers);
      break;
    case 'keep':
      answer(KEPT, ...listLines(context, person));
      break;
    case 'start':
      liftSuppression(context.store, known.sender, person, known.at);
      startWatching(context, person);
      break;
    case 'yes':
      startWatching(context, person);
      break;
    case 'list':
      answer(...listLines(context, person));
      break;
    case 'see':
      answer(...seen(context, person, command.number));
      break;
    case 'help':
      answer(...helpLines(context.brandName));
      break;
    case 'none':
      if (mayAnswerNothing(context, person)) answer(...helpLines(context.brandName));
      break;
  }
  return NOT_STOPPED;
}

/** Processes a stop that is not a message: the provider's own setting. It gets no answer. */
export function stopSender(context: InboundContext, sender: Sender, at: number | null): Processed {
  const { store, now } = context;
  const person = findPerson(store, sender);
  const since = at ?? now;
  if (person === null) {
    processUnknownSender(store, sender, { command: { kind: 'stop' }, at: since }, now);
    return NOT_STOPPED;
  }
  const stop = { scope: { kind: 'everything' }, at: since, now } as const;
  return { stopped: stopPerson(store, sender, person, stop) ? person.id : null };
}

/** An unknown sender gets no reply. A stop still takes effect, and the operator is notified. */
function processUnknownSender(
  store: AlertStore,
  sender: Sender,
  { command, at }: { command: Command; at: number },
  now: number,
): void {
  if (command.kind === 'stop' || command.kind === 'stop-one' || command.kind === 'ask-delete') {
    suppress(store, sender, null, at);
    const name = sender.number === null ? 'a user ID without a number' : 'a number';
    // Without its time, which the notice has: a notice that reads like another one is not raised again for a while.
    raiseNotice(store, 'unmatched stop', `STOP from ${name} without a known watch`, now);
  }
  if (command.kind === 'start') liftSuppression(store, sender, null, at);
}

/** Stops everything, and answers once: a repeated STOP gets no second answer. */
function stop(context: InboundContext, { sender, person, at }: Known): Processed {
  const { store, now } = context;
  const wasStopped = isSuppressed(store, person);
  if (!stopPerson(store, sender, person, { scope: { kind: 'everything' }, at, now })) return NOT_STOPPED;
  if (!wasStopped) answerStopped(context, person, [STOPPED]);
  return { stopped: person.id };
}

/** Stops a person, and erases what we know of them once they have confirmed it. */
function erase(context: InboundContext, { sender, person, at }: Known): Processed {
  const { store, now } = context;
  if (!stopPerson(store, sender, person, { scope: { kind: 'everything' }, at, now })) return NOT_STOPPED;
  erasePerson(store, person, now);
  answerStopped(context, person, [ERASED]);
  return { stopped: person.id };
}

/** NO declines what waits for YES. If nothing waits and something is watched, it may mean STOP. */
function declineOrAsk(context: InboundContext, known: Known): Processed {
  const { store, now } = context;
  const { person } = known;
  const isWatching = activeWatches(store, person.id, now).length > 0;
  const waiting = store.sql.get`select 1 from alert_watch where person = ${person.id} and state = 'asked'`;
  if (waiting !== undefined && !isWatching) return stop(context, known);
  if (waiting === undefined) {
    askWhetherToStop(context, person);
    return NOT_STOPPED;
  }
  endUnconfirmedWatches(store, person.id, now);
  deleteConfirmationRequest(store, person.id);
  reply(context, person, [DECLINED, ...listLines(context, person)]);
  return NOT_STOPPED;
}

/** With several watches, the answer may also be the number of one. */
function askWhetherToStop(context: InboundContext, person: Person, before: readonly string[] = []): void {
  const watching = watchLines(context, person);
  const isSeveral = activeWatches(context.store, person.id, context.now).length > 1;
  reply(
    context,
    person,
    [...before, ASK_STOP, ...(isSeveral ? [ASK_WHICH, '', ...watching] : [])],
    ASK_STOP_BUTTONS,
  );
}

/** YES and START start the unconfirmed watches of a person who is not stopped. */
function startWatching(context: InboundContext, person: Person): void {
  const { store, now } = context;
  if (isSuppressed(store, person)) return;
  keepPerson(store, person.id);
  const started = startWatches(store, person.id, now);
  if (started.length === 0) {
    reply(context, person, listLines(context, person));
    return;
  }
  deleteConfirmationRequest(store, person.id);
  for (const { itemKey } of started) recordConsent(store, { person, act: 'confirmed', itemKey, now });
  reply(context, person, [...watchLines(context, person), '', STARTED, COMMANDS]);
}

/** Ends watches by their numbers, or the one that the last alert was about. */
function stopOne(context: InboundContext, { person }: Known, numbers: readonly number[]): void {
  const { store, now } = context;
  const wanted = numbers.length > 0 ? watchesOf(store, person, numbers) : onlyWatch(context, person);
  for (const { id } of wanted) endWatch(store, id, now);
  const ended = wanted.map(({ number }) => `We've stopped alert ${number}.`);
  const missing = numbers
    .filter((number) => !wanted.some((watch) => watch.number === number))
    .map((number) => `You don't have an alert ${number}.`);
  const first = numbers.length === 0 && wanted.length === 0 ? [WHICH_WATCH] : [...ended, ...missing];
  reply(context, person, [...first, ...listLines(context, person)]);
}

function watchesOf(store: AlertStore, person: Person, numbers: readonly number[]): Watch[] {
  return numbers
    .map((number) => watchByNumber(store, person.id, number))
    .filter((watch): watch is Watch => watch !== null);
}

/** The watch of the last alert, or else the only one. */
function onlyWatch({ store, now }: InboundContext, person: Person): Watch[] {
  const told = lastToldWatch(store, person.id);
  if (told !== null) return [told];
  const active = activeWatches(store, person.id, now);
  return active.length === 1 ? active : [];
}

/** The answer to 'See it'. */
function seen({ store, siteUrl }: InboundContext, person: Person, number: number): string[] {
  const watch = watchByNumber(store, person.id, number);
  const onSale = watch === null ? null : store.packages.find(watch.itemKey);
  return onSale === null ? [NOT_ON_SALE, COMMANDS] : seeLines(onSale, holidayLink(siteUrl, onSale));
}
