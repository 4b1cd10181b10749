import type { AlertSignup } from '../../../domain/alert-signup.ts';
import { type Pence, poundsToPence } from '../../../domain/money.ts';
import { isUkMobile, parseUkPhone } from '../../../domain/uk-phone.ts';
import type { AlertStore } from '../records/alert-store.ts';
import { recordConfirmationRequest } from '../records/confirmation-requests.ts';
import { recordConsent } from '../records/consent.ts';
import { confirmText, welcomeText } from '../records/message-text.ts';
import { queueMessage } from '../records/messages.ts';
import type { PackageOnSale } from '../records/package-lookup.ts';
import { findOrAddPerson, findPerson, type Person } from '../records/people.ts';
import { isSuppressed } from '../records/suppression.ts';
import { addWatch, findWatch, type Watch } from '../records/watches.ts';
import { countSignUpForNumber, countSignUpFromAddress, type SignUpLimits } from './sign-up-limits.ts';

export type SignUpResult =
  | { kind: 'ok' }
  | { kind: 'invalid phone' }
  | { kind: 'unknown package' }
  | { kind: 'too many' }
  /** This installation cannot send messages. */
  | { kind: 'not offered' };

export interface SignUpSettings {
  /** Whether a watch starts when its number answers YES, or at once (ruling 13). */
  confirmation: 'required' | 'none';
  limits: SignUpLimits;
}

export interface SignUpContext {
  store: AlertStore;
  settings: SignUpSettings;
  brandName: string;
}

const A_DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Records a sign-up in one transaction, which is committed when this returns. A repeated number and package changes
 * nothing. A stopped number gets no message, and the result does not reveal it.
 */
export function signUp(
  context: SignUpContext,
  request: { body: AlertSignup; address: string; now: number },
): SignUpResult {
  const { store, settings } = context;
  const { now } = request;
  const { user, intent } = request.body;
  return store.transact(() => {
    if (!countSignUpFromAddress(store, settings.limits, request.address, now)) return { kind: 'too many' };
    const phone = parseUkPhone(user.channel_id);
    if (phone.kind === 'invalid' || !isUkMobile(phone.canonical)) return { kind: 'invalid phone' };
    const watched = store.packages.find(intent.packageHoliday.ItemKey);
    if (watched === null || watched.departsAt <= now || watched.expiresAt <= now)
      return { kind: 'unknown package' };
    const known = findPerson(store, { number: phone.canonical, userId: null });
    if (known !== null && findWatch(store, known.id, watched.itemKey) !== null) return { kind: 'ok' };
    if (!countSignUpForNumber(store, settings.limits, phone.canonical, now)) return { kind: 'too many' };
    // A refused number is not stored.
    const person = known ?? findOrAddPerson(store, phone.canonical, now);
    recordConsent(store, { numberKey: person.numberKey, act: 'signed up', itemKey: watched.itemKey, now });
    const below = intent.belowPrice === undefined ? null : poundsToPence(intent.belowPrice);
    startOrConfirm(context, person, watched, below, now);
    return { kind: 'ok' };
  });
}

function startOrConfirm(
  { store, settings, brandName }: SignUpContext,
  person: Person,
  watched: PackageOnSale,
  below: Pence | null,
  now: number,
): void {
  const isStopped = isSuppressed(store, person);
  const startsNow = settings.confirmation === 'none' && !isStopped;
  const watch = addWatch(store, person.id, watched, { state: startsNow ? 'active' : 'asked', below, now });
  if (isStopped) return;
  if (startsNow) sendWelcome(store, brandName, watch, watched, now);
  else sendConfirmationRequest(store, brandName, person, watch, watched, now);
}

/** A number without an answer gets no second confirmation request. */
function sendConfirmationRequest(
  store: AlertStore,
  brandName: string,
  { id, numberKey }: Person,
  watch: Watch,
  watched: PackageOnSale,
  now: number,
): void {
  if (!recordConfirmationRequest(store, numberKey, now)) return;
  queueMessage(store, {
    person: id,
    watch: watch.id,
    kind: 'confirm',
    body: confirmText(brandName, watched),
    now,
  });
}

/** A number gets one welcome a day, however many watches start. */
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
