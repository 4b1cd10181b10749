import { formatWholePounds } from '../../../domain/money.ts';
import type { AlertStore } from '../records/alert-store.ts';
import { deleteConfirmationRequest } from '../records/confirmation-requests.ts';
import { recordConsent } from '../records/consent.ts';
import { describePackage, replyText } from '../records/message-text.ts';
import { queueMessage } from '../records/messages.ts';
import { raiseNotice } from '../records/notices.ts';
import { findPerson, type Person, personById, recordUserId } from '../records/people.ts';
import type { Sender } from '../records/sender.ts';
import { stopPerson } from '../records/stop-person.ts';
import { isSuppressed, liftSuppression, suppress } from '../records/suppression.ts';
import { activeWatches, endWatchNumber, startWatches, type Watch } from '../records/watches.ts';
import { type InboundCommand, parseInboundCommand } from './inbound-command.ts';

const A_DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Processes a message from a person, inside the caller's transaction. Returns the person that it stopped, if any: the
 * caller must end the calls to them before it responds.
 */
export function processInboundMessage(
  store: AlertStore,
  brandName: string,
  inbound: { sender: Sender; text: string; now: number },
): { stopped: number | null } {
  const { sender, now } = inbound;
  const command = parseInboundCommand(inbound.text);
  const person = findPerson(store, sender);
  if (person === null) {
    processUnknownSender(store, sender, command, now);
    return { stopped: null };
  }
  if (sender.userId !== null) recordUserId(store, person, sender.userId);
  // Read again, because recording the user ID may have changed the person.
  const known = personById(store, person.id) ?? person;
  switch (command.kind) {
    case 'stop':
      stopPerson(store, sender, known, now);
      return { stopped: known.id };
    case 'start':
      start(store, brandName, sender, known, command.isExplicit, now);
      break;
    case 'stop-one':
      stopOne(store, brandName, known, command.number, now);
      break;
    case 'list':
      reply(store, brandName, known, listOf(store, known, now), now);
      break;
    case 'help':
      helpOnceADay(store, brandName, known, now);
      break;
  }
  return { stopped: null };
}

/** Processes a stop that is not a message: the provider's own setting. */
export function stopSender(store: AlertStore, sender: Sender, now: number): { stopped: number | null } {
  const person = findPerson(store, sender);
  if (person === null) {
    processUnknownSender(store, sender, { kind: 'stop' }, now);
    return { stopped: null };
  }
  stopPerson(store, sender, person, now);
  return { stopped: person.id };
}

/** An unknown sender gets no reply. A stop still takes effect, and the operator is notified. */
function processUnknownSender(store: AlertStore, sender: Sender, command: InboundCommand, now: number): void {
  if (command.kind === 'stop' || command.kind === 'stop-one') {
    suppress(store, sender, null, now);
    const name = sender.number === null ? 'a user ID without a number' : 'a number';
    raiseNotice(
      store,
      'unmatched stop',
      `STOP from ${name} without a known watch (${new Date(now).toISOString()})`,
      now,
    );
  }
  if (command.kind === 'start' && command.isExplicit) liftSuppression(store, sender, null);
}

/** YES and START start the unconfirmed watches. START lifts an earlier stop; YES only if it starts a watch. */
function start(
  store: AlertStore,
  brandName: string,
  sender: Sender,
  person: Person,
  isExplicit: boolean,
  now: number,
): void {
  const started = startWatches(store, person.id, now);
  if (started.length > 0 || isExplicit) liftSuppression(store, sender, person);
  if (started.length === 0) {
    reply(store, brandName, person, listOf(store, person, now), now);
    return;
  }
  deleteConfirmationRequest(store, person.id);
  const { numberKey } = person;
  for (const { itemKey } of started) recordConsent(store, { numberKey, act: 'confirmed', itemKey, now });
  const what = 'You get a message when one of them or a similar holiday drops in price, at most one a day.';
  reply(store, brandName, person, [...watchLines(store, person, now), '', what, COMMANDS], now);
}

function stopOne(store: AlertStore, brandName: string, person: Person, number: number, now: number): void {
  const isEnded = endWatchNumber(store, person.id, number, now);
  const first = isEnded ? `Watch ${number} has ended.` : `You have no watch ${number}.`;
  reply(store, brandName, person, [first, ...listOf(store, person, now)], now);
}

function listOf(store: AlertStore, person: Person, now: number): string[] {
  const lines = watchLines(store, person, now);
  return lines.length === 0 ? ['You are watching nothing.'] : [...lines, '', COMMANDS];
}

function watchLines(store: AlertStore, person: Person, now: number): string[] {
  const watches = activeWatches(store, person.id, now);
  if (watches.length === 0) return [];
  const listed = watches.slice(0, MAX_LISTED).map((watch) => lineOf(store, watch));
  const rest = watches.length - listed.length;
  return ['You are watching:', ...listed, ...(rest > 0 ? [`And ${rest} more.`] : [])];
}

/** Providers limit a text to 4,096 characters. */
const MAX_LISTED = 15;

const COMMANDS = 'Reply STOP and a number to end one, STOP to end all, LIST to see them.';

function lineOf({ packages }: AlertStore, { number, itemKey }: Watch): string {
  const watched = packages.find(itemKey);
  if (watched === null) return `${number}. A holiday that is not on sale at the moment.`;
  return `${number}. ${describePackage(watched)}, ${formatWholePounds(watched.price)} now.`;
}

/** Once a day, so that two machines do not answer each other forever. */
function helpOnceADay(store: AlertStore, brandName: string, person: Person, now: number): void {
  const since = now - A_DAY_MS;
  const replied = store.sql.get`select 1 from alert_message
    where person = ${person.id} and kind = 'reply' and created_at > ${since}`;
  if (replied !== undefined) return;
  const lines = [
    `This is ${brandName}, with price alerts for holidays. Nobody reads what is written here.`,
    COMMANDS,
  ];
  reply(store, brandName, person, lines, now);
}

function reply(
  store: AlertStore,
  brandName: string,
  person: Person,
  lines: readonly string[],
  now: number,
): void {
  if (isSuppressed(store, person)) return;
  const body = replyText(brandName, lines);
  queueMessage(store, { person: person.id, watch: null, kind: 'reply', body, now });
}
