import { formatWholePounds } from '../../../domain/money.ts';
import type { QuietHours } from '../../../domain/quiet-hours.ts';
import { replyKey, replyToNothingKey, replyToStopKey } from '../keys/reply-keys.ts';
import type { LinkMaker } from '../rendering/message-links.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { type CountLimit, countInWindow } from '../tables/count-in-window.ts';
import { type MessageButton, queueMessage } from '../tables/messages.ts';
import type { Person } from '../tables/people.ts';
import { isSuppressed } from '../tables/suppression.ts';
import { activeWatches, type Watch } from '../tables/watches.ts';
import { COMMANDS, describePackage, replyText, WATCHING_NOTHING } from '../texts/message-text.ts';

/** What a message is processed with. */
export interface InboundContext {
  store: AlertStore;
  brandName: string;
  /** Our own address, for links; null if it is not set. */
  siteUrl: string | null;
  /** The signed links of a message; null without our own address. */
  links: LinkMaker | null;
  quietHours: QuietHours;
  now: number;
}

const A_DAY_MS = 24 * 60 * 60 * 1000;

/** Replies to one number a day, so that two machines do not answer each other for ever. */
export const REPLIES_PER_DAY = 20;

/** Replies a day to messages that ask for nothing. */
const REPLIES_TO_NOTHING_PER_DAY = 3;

/** Answers a day that a stopped person still gets, so that STOP and START by turns do not get any number of them. */
export const ANSWERS_TO_STOP_PER_DAY = 5;

/** At most so many a day. */
function daily(key: string, most: number): CountLimit {
  return { key, windowMs: A_DAY_MS, most };
}

/** Puts a reply into the outbox, unless the person has stopped or has had the day's replies. */
export function reply(
  { store, brandName, now }: InboundContext,
  person: Person,
  lines: readonly string[],
  buttons: readonly MessageButton[] = [],
): void {
  if (isSuppressed(store, person)) return;
  if (!countInWindow(store, daily(replyKey(store.keys, person.numberKey), REPLIES_PER_DAY), now)) return;
  const body = replyText(brandName, lines, buttons);
  queueMessage(store, { person: person.id, watch: null, kind: 'reply', body, now });
}

/** Whether a message that asks for nothing is answered: a few times a day. */
export function mayAnswerNothing({ store, now }: InboundContext, { numberKey }: Person): boolean {
  const key = replyToNothingKey(store.keys, numberKey);
  return countInWindow(store, daily(key, REPLIES_TO_NOTHING_PER_DAY), now);
}

/** Queues an answer that a stopped person still gets: to STOP, or about their data. A few a day. */
export function answerStopped(
  { store, brandName, now }: InboundContext,
  person: Person,
  lines: readonly string[],
  buttons: readonly MessageButton[] = [],
): void {
  const key = replyToStopKey(store.keys, person.numberKey);
  if (!countInWindow(store, daily(key, ANSWERS_TO_STOP_PER_DAY), now)) return;
  const body = replyText(brandName, lines, buttons);
  queueMessage(store, { person: person.id, watch: null, kind: 'reply', body, answersStop: true, now });
}

/** The page of a person's own alerts; null without our own address. */
export function ownPageLink({ links, now }: InboundContext, person: Person): string | null {
  const message = { person: person.id, personSince: person.createdAt, watch: null, createdAt: now };
  return links?.(message).manage ?? null;
}

/** Providers limit a text to 4,096 characters. */
const MAX_LISTED = 15;

/** The answer to LIST. */
export function listLines(context: InboundContext, person: Person): string[] {
  const lines = watchLines(context, person);
  return lines.length === 0 ? [WATCHING_NOTHING] : [...lines, '', COMMANDS];
}

export function watchLines({ store, now }: InboundContext, person: Person): string[] {
  const watches = activeWatches(store, person.id, now);
  if (watches.length === 0) return [];
  const listed = watches.slice(0, MAX_LISTED).map((watch) => lineOf(store, watch));
  const rest = watches.length - listed.length;
  return ["You're watching:", ...listed, ...(rest > 0 ? [`And ${rest} more.`] : [])];
}

function lineOf({ packages }: AlertStore, { number, itemKey }: Watch): string {
  const watched = packages.find(itemKey);
  if (watched === null) return `${number}. A holiday that isn't on sale at the moment.`;
  return `${number}. ${describePackage(watched)}, ${formatWholePounds(watched.price)} now.`;
}
