import type { AlertSignup, ChannelSignup } from '../../../domain/alert-signup.ts';
import { poundsToPence } from '../../../domain/money.ts';
import {
  CONFIRMATION_QUIET_HOURS,
  clockTime,
  earliestAlert,
  type QuietHours,
} from '../../../domain/quiet-hours.ts';
import { openQuestion } from '../inbound/open-question.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { recordConfirmationRequest } from '../tables/confirmation-requests.ts';
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
import type { PackageOnSale } from '../tables/package-lookup.ts';
import { NO_SENDER } from '../tables/sender.ts';
import { isSuppressed, liftSuppression } from '../tables/stops.ts';
import { addWatch, findWatch, type Watch } from '../tables/watches.ts';
import { confirmText, welcomeText } from '../texts/message-text.ts';
import { readContact, type SignUpContact } from './read-contact.ts';
import { contactLimits, countSignUpFromAddress, type SignUpLimits } from './sign-up-limits.ts';

export type SignUpResult =
  /** `waitsUntil` is the time of the confirmation request, such as '7am'; null if it is sent immediately. */
  | { kind: 'ok'; waitsUntil: string | null }
  | { kind: 'invalid phone' }
  | { kind: 'invalid email' }
  | { kind: 'invalid subscription' }
  | { kind: 'unknown package' }
  | { kind: 'too many' }
  /** This installation does not send messages on this channel. */
  | { kind: 'not offered' };

export interface SignUpSettings {
  /** Whether a watch starts after a YES or immediately. */
  confirmation: 'required' | 'none';
  quietHours: QuietHours;
  limits: SignUpLimits;
  email: object | null;
  webPush: { services: readonly string[] } | null;
}

export interface SignUpContext {
  store: AlertStore;
  settings: SignUpSettings;
  brandName: string;
}

export interface SignUpRequest {
  body: AlertSignup | ChannelSignup;
  address: string;
  now: number;
}

const A_DAY_MS = 24 * 60 * 60 * 1000;

/** Records and commits a sign-up. A stopped contact gets the same result, but no message. */
export function signUp(context: SignUpContext, request: SignUpRequest): SignUpResult {
  const { store, settings } = context;
  const { now } = request;
  const { user, intent } = request.body;
  if (user.platform === 'email' && settings.email === null) return { kind: 'not offered' };
  if (user.platform === 'push' && settings.webPush === null) return { kind: 'not offered' };
  return store.transact(() => {
    if (!countSignUpFromAddress(store, settings.limits, request.address, now)) return { kind: 'too many' };
    const reading = readContact(store.keys, user, settings.webPush?.services ?? []);
    if (reading.kind !== 'contact') return reading;
    const watched = store.packages.find(intent.packageHoliday.ItemKey);
    if (watched === null || watched.departsAt <= now || watched.expiresAt <= now)
      return { kind: 'unknown package' };
    const { contact: details } = reading;
    // Also limits sign-ups for existing watches, so that strangers cannot find out who watches what.
    const limits = contactLimits(store, settings.limits, details);
    if (!limits.every((limit) => isWithinLimit(store, limit, now))) return { kind: 'too many' };
    const known = contactByKey(store, details.key);
    const ok: SignUpResult = { kind: 'ok', waitsUntil: confirmationTime(settings, details, now) };
    const isStopped = known !== null && isSuppressed(store, known);
    const earlier = known === null ? null : findWatch(store, known.id, watched.itemKey);
    if (known !== null && earlier !== null && !(isStopped && known.channel === 'push')) {
      keepContact(store, known.id);
      // A new sign-up closes our last question, so that a later YES does not stop anything.
      if (openQuestion(store, known, now) !== null) recordSignUp(store, known, watched, now);
      if (earlier.state === 'asked' && !isStopped)
        sendConfirmationRequest(context, known, earlier, watched, now);
      return ok;
    }
    for (const limit of limits) countInWindow(store, limit, now);
    // Nothing is stored for a refused sign-up.
    const contact = addContact(store, details, known, now);
    if (user.platform !== 'whatsapp' && user.owner !== undefined) recordOwner(store, contact, user.owner);
    recordSignUp(store, contact, watched, now);
    startOrConfirm(context, contact, watched, intent, now);
    return ok;
  });
}

function recordSignUp(store: AlertStore, contact: Contact, { itemKey }: PackageOnSale, now: number): void {
  recordConsent(store, { contact, act: 'signed up', itemKey, now });
}

/** Only a browser's owner knows its subscription, so signing up with it counts as START. */
function addContact(store: AlertStore, details: SignUpContact, known: Contact | null, now: number): Contact {
  const contact = known === null || known.channel === 'push' ? findOrAddContact(store, details, now) : known;
  keepContact(store, contact.id);
  // One millisecond later, because at equal times a STOP counts.
  if (contact.channel === 'push') liftSuppression(store, NO_SENDER, contact, now + 1);
  return contact;
}

function startOrConfirm(
  context: SignUpContext,
  contact: Contact,
  watched: PackageOnSale,
  { belowPrice, search }: AlertSignup['intent'],
  now: number,
): void {
  const { store, settings } = context;
  const isStopped = isSuppressed(store, contact);
  // A browser has asked for permission. An email address may belong to somebody else, so it is always
  // confirmed.
  const isSure =
    contact.channel === 'push' || (contact.channel === 'whatsapp' && settings.confirmation === 'none');
  const startsNow = isSure && !isStopped;
  const state = startsNow ? 'active' : 'asked';
  const below = belowPrice === undefined ? null : poundsToPence(belowPrice);
  const watch = addWatch(store, contact.id, watched, { state, below, search: search ?? null, now });
  if (isStopped) return;
  if (startsNow) sendWelcome(context, watch, watched, now);
  else sendConfirmationRequest(context, contact, watch, watched, now);
}

/** Asks a contact to confirm, unless an earlier request is unanswered. */
function sendConfirmationRequest(
  { store, brandName }: SignUpContext,
  contact: Contact,
  watch: Watch,
  watched: PackageOnSale,
  now: number,
): void {
  if (!recordConfirmationRequest(store, contact, now)) return;
  const body = confirmText(brandName, watched);
  queueMessage(store, { contact: contact.id, watch: watch.id, kind: 'confirm', body, now });
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
function sendWelcome(
  { store, brandName }: SignUpContext,
  { id: watch, contact }: Watch,
  watched: PackageOnSale,
  now: number,
): void {
  const since = now - A_DAY_MS;
  const welcomed = store.sql.get`select 1 from alert_message
    where contact = ${contact} and kind = 'welcome' and created_at > ${since}`;
  if (welcomed !== undefined) return;
  queueMessage(store, { contact, watch, kind: 'welcome', body: welcomeText(brandName, watched), now });
}
