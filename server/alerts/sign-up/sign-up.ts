import type { AlertSignup, ChannelSignup, SearchSignup } from '../../../domain/alert-signup.ts';
import {
  CONFIRMATION_QUIET_HOURS,
  clockTime,
  earliestAlert,
  type QuietHours,
} from '../../../domain/quiet-hours.ts';
import { describeSearch } from '../matching/describe-search.ts';
import { beginSearches } from '../matching/search-looks.ts';
import type { AlertSession, AlertStore } from '../tables/alert-store.ts';
import { recordConsent } from '../tables/consent.ts';
import {
  type Contact,
  contactByKey,
  findOrAddContact,
  keepContact,
  recordOwner,
} from '../tables/contacts.ts';
import { countInWindow, isWithinLimit } from '../tables/count-in-window.ts';
import { queueMessage } from '../tables/messages.ts';
import { changeSearchLimit, searchWatchOf } from '../tables/search-watches.ts';
import { NO_SENDER } from '../tables/sender.ts';
import { isSuppressed, liftSuppression } from '../tables/stops.ts';
import { endWatch, endWatches, findWatch, type Watch } from '../tables/watches.ts';
import { type WatchedSubject, welcomeText } from '../texts/message-text.ts';
import { askToConfirm } from './ask-to-confirm.ts';
import { readContact, type SignUpContact } from './read-contact.ts';
import { contactLimits, countSignUpFromAddress, type SignUpLimits } from './sign-up-limits.ts';
import { addSubject, readSubject, type SignUpSubject } from './sign-up-subject.ts';

export type SignUpResult =
  /** `waitsUntil` is the time of the confirmation request, such as '7am'; null if it is sent immediately. */
  | { kind: 'ok'; waitsUntil: string | null }
  | { kind: 'invalid phone' }
  | { kind: 'invalid email' }
  | { kind: 'invalid subscription' }
  | { kind: 'unknown package' }
  /** A search that cannot be watched. */
  | { kind: 'not a sign-up' }
  | { kind: 'too many' }
  /** This installation does not send messages on this channel. */
  | { kind: 'not offered' };

export interface SignUpSettings {
  /** Whether a watch starts after a YES or immediately. */
  confirmation: 'required' | 'none';
  quietHours: QuietHours;
  limits: SignUpLimits;
  /** Whether WhatsApp is offered. False in production with the local outbox, which sends nothing. */
  isOffered: boolean;
  email: object | null;
  webPush: { services: readonly string[] } | null;
  ntfy: object | null;
}

export interface SignUpContext<Store extends AlertSession = AlertSession> {
  store: Store;
  settings: SignUpSettings;
  brandName: string;
}

export interface SignUpRequest {
  body: AlertSignup | ChannelSignup | SearchSignup;
  address: string;
  now: number;
}

const A_DAY_MS = 24 * 60 * 60 * 1000;

/** Records and commits a sign-up. A stopped contact gets the same result, but no message. */
export async function signUp(
  context: SignUpContext<AlertStore>,
  request: SignUpRequest,
): Promise<SignUpResult> {
  const { store, settings } = context;
  const { now } = request;
  const { user } = request.body;
  const { isOffered, email, webPush, ntfy } = settings;
  const offered = { whatsapp: isOffered, email, push: webPush, ntfy };
  if (!offered[user.platform]) return { kind: 'not offered' };
  return store.transact(async (tx) => {
    const within = { ...context, store: tx };
    if (!(await countSignUpFromAddress(tx, settings.limits, request.address, now)))
      return { kind: 'too many' };
    const reading = readContact(tx.keys, user, settings.webPush?.services ?? []);
    if (reading.kind !== 'contact') return reading;
    const subject = await readSubject(tx, request.body, now);
    if (typeof subject === 'string') return { kind: subject };
    const { itemKey } = subject.traits;
    const { contact: details } = reading;
    // Also limits sign-ups for existing watches, so that strangers cannot find out who watches what.
    const limits = contactLimits(tx, settings.limits, details);
    for (const limit of limits) if (!(await isWithinLimit(tx, limit, now))) return { kind: 'too many' };
    const known = await contactByKey(tx, details.key);
    const ok: SignUpResult = { kind: 'ok', waitsUntil: confirmationTime(settings, details, now) };
    const isStopped = known !== null && (await isSuppressed(tx, known));
    const earlier = known === null ? null : await findWatch(tx, known.id, itemKey);
    if (known !== null && earlier !== null) {
      const isPausedAlone = earlier.state === 'paused' && !isStopped;
      if (isPausedAlone) await endWatch(tx, earlier.id, now);
      else if (!isStopped || known.channel !== 'push') {
        await keepContact(tx, known.id);
        if (isStopped) return ok;
        await changeWatch(within, known, earlier, subject, now);
        if (earlier.state === 'asked') await askToConfirm(within, known, earlier, subject, now);
        return ok;
      }
    }
    for (const limit of limits) await countInWindow(tx, limit, now);
    // Nothing is stored for a refused sign-up.
    const contact = await addContact(tx, details, known, now);
    if (user.platform !== 'whatsapp' && user.owner !== undefined) await recordOwner(tx, contact, user.owner);
    await recordConsent(tx, contact, 'signed up', itemKey, now);
    await startOrConfirm(within, contact, subject, now);
    return ok;
  });
}

/**
 * Applies the limit of a repeated sign-up. Anyone can type a number, so a running watch on WhatsApp keeps its
 * limit, and a message says what is watched.
 */
async function changeWatch(
  context: SignUpContext,
  { channel }: Contact,
  watch: Watch,
  subject: SignUpSubject,
  now: number,
): Promise<void> {
  const { store } = context;
  const { search } = subject;
  const own = await searchWatchOf(store, watch.id);
  if (own === null || search === null || (own.limit === search.limit && own.booked === search.booked)) return;
  if (channel === 'whatsapp' && watch.state !== 'asked')
    return sendWelcome(context, watch, { ...subject, words: await describeSearch(store, own) }, now);
  await changeSearchLimit(store, watch.id, search);
}

/** Only a browser's owner knows its subscription, so signing up with it lifts a stop, but for this watch alone. */
async function addContact(
  store: AlertSession,
  details: SignUpContact,
  known: Contact | null,
  now: number,
): Promise<Contact> {
  const contact =
    known === null || known.channel === 'push' ? await findOrAddContact(store, details, now) : known;
  await keepContact(store, contact.id);
  if (contact.channel === 'push' && (await isSuppressed(store, contact))) {
    await endWatches(store, contact.id, now);
    // One millisecond later, because at equal times a STOP counts.
    await liftSuppression(store, NO_SENDER, contact, now + 1);
  }
  return contact;
}

async function startOrConfirm(
  context: SignUpContext,
  contact: Contact,
  subject: SignUpSubject,
  now: number,
): Promise<void> {
  const { store, settings } = context;
  const isStopped = await isSuppressed(store, contact);
  // A browser has asked for permission. An email address or a topic may belong to somebody else, so it is
  // always confirmed.
  const isSure =
    contact.channel === 'push' || (contact.channel === 'whatsapp' && settings.confirmation === 'none');
  const startsNow = isSure && !isStopped;
  const watch = await addSubject(store, contact.id, subject, { state: startsNow ? 'active' : 'asked', now });
  if (isStopped) return;
  if (!startsNow) return askToConfirm(context, contact, watch, subject, now);
  await beginSearches(store.session, contact.id, now);
  await sendWelcome(context, watch, subject, now);
}

/** When the confirmation request is sent: the same for stopped contacts, to hide who they are. */
function confirmationTime(
  { confirmation, quietHours }: SignUpSettings,
  { channel }: SignUpContact,
  now: number,
): string | null {
  if (channel !== 'whatsapp' || confirmation === 'none' || quietHours === null) return null;
  const waits = earliestAlert(now, null, CONFIRMATION_QUIET_HOURS) > now;
  return waits ? clockTime(CONFIRMATION_QUIET_HOURS?.until ?? 0) : null;
}

/** Sends a welcome: one a day to each contact, even if several watches start. */
async function sendWelcome(
  { store, brandName }: SignUpContext,
  { id: watch, contact }: Watch,
  subject: WatchedSubject,
  now: number,
): Promise<void> {
  const since = now - A_DAY_MS;
  const welcomed = await store.sql.get`select 1 from alert_message
    where contact = ${contact} and kind = 'welcome' and created_at > ${since}`;
  if (welcomed !== undefined) return;
  const body = welcomeText(brandName, subject);
  await queueMessage(store, { contact, watch, kind: 'welcome', body, now });
}
