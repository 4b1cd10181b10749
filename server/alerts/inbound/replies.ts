import { type ReplyCount, replyKey } from '../keys/key-ring.ts';
import type { LinkMaker } from '../rendering/message-links.ts';
import { fittingList } from '../rendering/watch-list.ts';
import type { AlertSession } from '../tables/alert-store.ts';
import type { Contact } from '../tables/contacts.ts';
import { countInWindow } from '../tables/count-in-window.ts';
import { isQueued, type MessageButton, queueMessage } from '../tables/messages.ts';
import { isSuppressed } from '../tables/stops.ts';
import { watchesIn } from '../tables/watches.ts';
import {
  COMMANDS,
  dataLine,
  helpLine,
  pausedLine,
  replyText,
  STOPPED,
  WATCHING,
  WATCHING_NOTHING,
} from '../texts/message-text.ts';

export interface InboundContext<Store extends AlertSession = AlertSession> {
  store: Store;
  brandName: string;
  /** This site's URL, for links; null if it is not set. */
  siteUrl: string | null;
  /** Makes a message's signed links; null without a site URL. */
  links: LinkMaker | null;
  now: number;
}

const STOP_ALL: readonly MessageButton[] = [{ title: 'Stop all', payload: 'stop' }];

const A_DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Daily limits on replies to a contact. `all` and `stop`, which counts answers to a stop or about data, keep
 * two machines from answering each other endlessly. `nothing` limits replies to messages without a request.
 */
export const MAX_REPLIES_PER_DAY: Readonly<Record<ReplyCount, number>> = { all: 20, nothing: 1, stop: 100 };

/** Counts a reply, and returns whether the day's limit allows it. */
export async function mayReply(
  { store, now }: InboundContext,
  { contactKey }: Contact,
  count: ReplyCount,
): Promise<boolean> {
  const key = replyKey(store.keys, contactKey, count);
  return countInWindow(store, { key, windowMs: A_DAY_MS, max: MAX_REPLIES_PER_DAY[count] }, now);
}

/** Queues a reply, unless the person has stopped or has had the day's replies. */
export async function reply(
  context: InboundContext,
  contact: Contact,
  lines: readonly string[],
  buttons: readonly MessageButton[] = [],
): Promise<void> {
  const { store, now } = context;
  if ((await isSuppressed(store, contact)) || !(await mayReply(context, contact, 'all'))) return;
  const body = replyText(lines, buttons);
  await queueMessage(store, { contact: contact.id, watch: null, kind: 'reply', body, now });
}

/** Queues a reply that a stopped person still gets, to a stop or about data, unless the same is queued. */
export async function answerStopped(
  context: InboundContext,
  contact: Contact,
  lines: readonly string[],
): Promise<void> {
  const { store, now } = context;
  const body = replyText(lines);
  if ((await isQueued(store, contact.id, body)) || !(await mayReply(context, contact, 'stop'))) return;
  await queueMessage(store, {
    contact: contact.id,
    watch: null,
    kind: 'reply',
    body,
    answersStop: true,
    now,
  });
}

/** Answers a stop of all alerts. */
export async function answerStop(
  context: InboundContext,
  contact: Contact,
  isAboutData: boolean,
): Promise<void> {
  const data = isAboutData ? [dataLine(ownPageLink(context, contact))] : [];
  await answerStopped(context, contact, [STOPPED, ...data]);
}

/** Queues the line of help. */
export async function answerHelp(context: InboundContext, contact: Contact): Promise<void> {
  const isWaiting = (await watchesIn(context.store, contact.id, 'asked', context.now)).length > 0;
  await reply(context, contact, [helpLine(context.brandName, isWaiting)], STOP_ALL);
}

/** Queues a list of the person's alerts, after and before these lines. */
export async function answerList(
  context: InboundContext,
  contact: Contact,
  after: readonly string[] = [COMMANDS],
  before: readonly string[] = [],
): Promise<void> {
  const { store, now } = context;
  const watching = await watchesIn(store, contact.id, 'active', now);
  const paused = (await watchesIn(store, contact.id, 'paused', now)).map(({ number }) => number);
  const rest = paused.length === 0 ? after : [pausedLine(paused), ...after];
  const lines =
    watching.length === 0
      ? [...before, WATCHING_NOTHING, ...rest]
      : await fittingList(store, watching, ownPageLink(context, contact), {
          before: [...before, WATCHING],
          after: ['', ...rest],
          now,
        });
  await reply(context, contact, lines);
}

/** The link to the page of a person's alerts; null without a site URL. */
export function ownPageLink({ links, now }: InboundContext, contact: Contact): string | null {
  const message = { contact: contact.id, contactSince: contact.createdAt, watch: null, createdAt: now };
  return links?.(message).manage ?? null;
}
