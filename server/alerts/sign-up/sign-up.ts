import type { AlertSignup, ChannelSignup } from '../../../domain/alert-signup.ts';
import { type Pence, poundsToPence } from '../../../domain/money.ts';
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
import { queueMessage } from '../tables/messages.ts';
import type { PackageOnSale } from '../tables/package-lookup.ts';
import { findOrAddPerson, keepPerson, type Person, personByKey, recordOwner } from '../tables/people.ts';
import { isSuppressed, liftSuppression } from '../tables/suppression.ts';
import { addWatch, findWatch, type Watch } from '../tables/watches.ts';
import { confirmText, welcomeText } from '../texts/message-text.ts';
import { readContact, type SignUpContact } from './read-contact.ts';
import { countSignUpFor, countSignUpFromAddress, maySignUp, type SignUpLimits } from './sign-up-limits.ts';

export type SignUpResult =
  /** `waitsUntil`: at this time of day the message that asks to confirm is sent, as '7am'; null: immediately. */
  | { kind: 'ok'; waitsUntil: string | null }
  | { kind: 'invalid phone' }
  | { kind: 'invalid email' }
  | { kind: 'invalid subscription' }
  | { kind: 'unknown package' }
  | { kind: 'too many' }
  /** This installation cannot send messages on this channel. */
  | { kind: 'not offered' };

export interface SignUpSettings {
  /** Whether a watch starts when its number answers YES, or at once (ruling 13). */
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

/**
 * Records a sign-up in one transaction, which is committed when this returns. A repeated contact and package changes
 * nothing. A stopped contact gets no message, and the result does not reveal it.
 */
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
    const { contact } = reading;
    // Also for what is watched already: else a stranger could try which holidays those are.
    if (!maySignUp(store, settings.limits, contact, now)) return { kind: 'too many' };
    const known = personByKey(store, contact.key);
    const ok: SignUpResult = { kind: 'ok', waitsUntil: confirmationTime(settings, contact, now) };
    const isStopped = known !== null && isSuppressed(store, known);
    const earlier = known === null ? null : findWatch(store, known.id, watched.itemKey);
    if (known !== null && earlier !== null && !(isStopped && known.channel === 'push')) {
      keepPerson(store, known.id);
      // A new sign-up closes our last question, so that a YES after it stops nothing.
      if (openQuestion(store, known, now) !== null) recordSignUp(store, known, watched, now);
      if (earlier.state === 'asked' && !isStopped)
        sendConfirmationRequest(context, known, earlier, watched, now);
      return ok;
    }
    countSignUpFor(store, settings.limits, contact, now);
    // A refused contact is not stored.
    const person = addPerson(store, contact, known, now);
    if (user.platform !== 'whatsapp' && user.owner !== undefined) recordOwner(store, person, user.owner);
    recordSignUp(store, person, watched, now);
    const below = intent.belowPrice === undefined ? null : poundsToPence(intent.belowPrice);
    startOrConfirm(context, person, watched, below, now);
    return ok;
  });
}

function recordSignUp(store: AlertStore, person: Person, { itemKey }: PackageOnSale, now: number): void {
  recordConsent(store, { person, act: 'signed up', itemKey, now });
}

/**
 * A browser's subscription is known to that browser alone, so whoever signs up with it is its owner, and has asked for
 * it there: that is a START (ruling 14b).
 */
function addPerson(store: AlertStore, contact: SignUpContact, known: Person | null, now: number): Person {
  const person = known === null || known.channel === 'push' ? findOrAddPerson(store, contact, now) : known;
  keepPerson(store, person.id);
  // Of a STOP and a START at one time the STOP counts, but this one is known to be later.
  if (person.channel === 'push') liftSuppression(store, { number: null, userId: null }, person, now + 1);
  return person;
}

function startOrConfirm(
  context: SignUpContext,
  person: Person,
  watched: PackageOnSale,
  below: Pence | null,
  now: number,
): void {
  const { store, settings, brandName } = context;
  const isStopped = isSuppressed(store, person);
  // A browser has asked for permission already. An address may be somebody else's, whatever the setting for numbers is.
  const isSure =
    person.channel === 'push' || (person.channel === 'whatsapp' && settings.confirmation === 'none');
  const startsNow = isSure && !isStopped;
  const watch = addWatch(store, person.id, watched, { state: startsNow ? 'active' : 'asked', below, now });
  if (isStopped) return;
  if (startsNow) sendWelcome(store, brandName, watch, watched, now);
  else sendConfirmationRequest(context, person, watch, watched, now);
}

/** Asks a contact to confirm, unless it has been asked before and has not answered. */
function sendConfirmationRequest(
  { store, brandName }: SignUpContext,
  person: Person,
  watch: Watch,
  watched: PackageOnSale,
  now: number,
): void {
  if (!recordConfirmationRequest(store, person, now)) return;
  queueMessage(store, {
    person: person.id,
    watch: watch.id,
    kind: 'confirm',
    body: confirmText(brandName, watched),
    now,
  });
}

/** Says the same to everybody, so that it does not reveal who has stopped. */
function confirmationTime(
  { confirmation, quietHours }: SignUpSettings,
  { channel }: SignUpContact,
  now: number,
): string | null {
  if (channel !== 'whatsapp' || confirmation === 'none' || quietHours === null) return null;
  const waits = earliestAlert(now, null, CONFIRMATION_QUIET_HOURS) > now;
  return waits ? clockTime(CONFIRMATION_QUIET_HOURS?.until ?? 0) : null;
}

/** A contact gets one welcome a day, however many watches start. */
function sendWelcome(
  store: AlertStore,
  brandName: string,
  watch: Watch,
  watched: PackageOnSale,
  now: number,
): void {
  const { person } = watch;
  const since = now - A_DAY_MS;
  const welcomed = store.sql.get`select 1 from alert_message
    where person = ${person} and kind = 'welcome' and created_at > ${since}`;
  if (welcomed !== undefined) return;
  queueMessage(store, {
    person,
    watch: watch.id,
    kind: 'welcome',
    body: welcomeText(brandName, watched),
    now,
  });
}
