import { formatWholePounds } from '../../../domain/money.ts';
import type { QuietHours } from '../../../domain/quiet-hours.ts';
import { type ReplyCount, replyKey } from '../keys/reply-keys.ts';
import type { LinkMaker } from '../rendering/message-links.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import type { Contact } from '../tables/contacts.ts';
import { countInWindow } from '../tables/count-in-window.ts';
import { type MessageButton, queueMessage } from '../tables/messages.ts';
import { isSuppressed } from '../tables/stops.ts';
import { activeWatches, type Watch } from '../tables/watches.ts';
import { COMMANDS, describePackage, replyText, WATCHING_NOTHING } from '../texts/message-text.ts';

export interface InboundContext {
  store: AlertStore;
  brandName: string;
  /** This site's URL, for links; null if it is not set. */
  siteUrl: string | null;
  /** Makes a message's signed links; null without a site URL. */
  links: LinkMaker | null;
  quietHours: QuietHours;
  now: number;
}

const A_DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Daily limits on replies to a contact. `all` keeps two machines from answering each other endlessly. `nothing`
 * limits replies to messages without a request, `stop` to people who alternate STOP and START.
 */
export const MAX_REPLIES_PER_DAY: Readonly<Record<ReplyCount, number>> = { all: 20, nothing: 3, stop: 5 };

/** Counts a reply, and returns whether the day's limit allows it. */
export function mayReply(
  { store, now }: InboundContext,
  { contactKey }: Contact,
  count: ReplyCount,
): boolean {
  const key = replyKey(store.keys, contactKey, count);
  return countInWindow(store, { key, windowMs: A_DAY_MS, max: MAX_REPLIES_PER_DAY[count] }, now);
}

/** Queues a reply, unless the person has stopped or has had the day's replies. */
export function reply(
  context: InboundContext,
  contact: Contact,
  lines: readonly string[],
  buttons: readonly MessageButton[] = [],
): void {
  const { store, brandName, now } = context;
  if (isSuppressed(store, contact) || !mayReply(context, contact, 'all')) return;
  const body = replyText(brandName, lines, buttons);
  queueMessage(store, { contact: contact.id, watch: null, kind: 'reply', body, now });
}

/** Queues a reply that a stopped person still gets: to STOP, or about their data. */
export function answerStopped(
  context: InboundContext,
  contact: Contact,
  lines: readonly string[],
  buttons: readonly MessageButton[] = [],
): void {
  const { store, brandName, now } = context;
  if (!mayReply(context, contact, 'stop')) return;
  const body = replyText(brandName, lines, buttons);
  queueMessage(store, { contact: contact.id, watch: null, kind: 'reply', body, answersStop: true, now });
}

/** The link to the page of a person's alerts; null without a site URL. */
export function ownPageLink({ links, now }: InboundContext, contact: Contact): string | null {
  const message = { contact: contact.id, contactSince: contact.createdAt, watch: null, createdAt: now };
  return links?.(message).manage ?? null;
}

/** The most watches in a list, because providers limit a text to 4,096 characters. */
const MAX_LISTED = 15;

export function listLines(context: InboundContext, contact: Contact): string[] {
  const lines = watchLines(context, contact);
  return lines.length === 0 ? [WATCHING_NOTHING] : [...lines, '', COMMANDS];
}

export function watchLines({ store, now }: InboundContext, contact: Contact): string[] {
  const watches = activeWatches(store, contact.id, now);
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
