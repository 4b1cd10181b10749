import * as v from 'valibot';
import { alertSignup } from '../../../domain/alert-signup.ts';
import { isUkMobile, parseUkPhone } from '../../../domain/uk-phone.ts';
import type { AlertsConfig } from '../alerts-config.ts';
import type { AlertStore } from '../records/alert-store.ts';
import { noteAsking } from '../records/confirmation-requests.ts';
import { recordConsent } from '../records/consent.ts';
import { confirmText, welcomeText } from '../records/message-text.ts';
import { queueMessage } from '../records/messages.ts';
import type { KnownPackage } from '../records/package-lookup.ts';
import { findPerson, type Person, personWithNumber } from '../records/people.ts';
import { isSuppressed } from '../records/suppression.ts';
import { addWatch, heldWatch, type Watch } from '../records/watches.ts';
import { countAddress, countNumber } from './sign-up-limits.ts';

export type SignUpResult =
  | { kind: 'ok' }
  | { kind: 'not a sign-up' }
  | { kind: 'invalid phone' }
  | { kind: 'unknown package' }
  | { kind: 'too many' }
  /** This installation could send it nothing. */
  | { kind: 'not offered' };

export interface SignUpContext {
  store: AlertStore;
  config: Pick<AlertsConfig, 'confirmation' | 'limits'>;
  brandName: string;
}

const A_DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Takes in a sign-up: one transaction, which stands when this returns. The same number and package again
 * changes nothing. Whether a number is stopped is not told: it gets no message, and nobody learns why.
 */
export function signUp(
  context: SignUpContext,
  request: { body: unknown; address: string; now: number },
): SignUpResult {
  const { store, config } = context;
  const { now } = request;
  const parsed = v.safeParse(alertSignup, request.body);
  return store.transact(() => {
    if (!countAddress(store, config.limits, request.address, now)) return { kind: 'too many' };
    if (!parsed.success) return { kind: 'not a sign-up' };
    const phone = parseUkPhone(parsed.output.user.channel_id);
    if (phone.kind === 'invalid' || !isUkMobile(phone.canonical)) return { kind: 'invalid phone' };
    const watched = store.packages.find(parsed.output.intent.packageHoliday.ItemKey);
    if (watched === null || watched.departsAt <= now || watched.expiresAt <= now)
      return { kind: 'unknown package' };
    const known = findPerson(store, { number: phone.canonical, userId: null });
    if (known !== null && heldWatch(store, known.id, watched.itemKey) !== null) return { kind: 'ok' };
    if (!countNumber(store, config.limits, phone.canonical, now)) return { kind: 'too many' };
    // Only now: a number that is turned away is not kept.
    const person = known ?? personWithNumber(store, phone.canonical, now);
    recordConsent(store, { numberKey: person.numberKey, act: 'signed up', itemKey: watched.itemKey, now });
    startOrAsk(context, person, watched, now);
    return { kind: 'ok' };
  });
}

function startOrAsk(
  { store, config, brandName }: SignUpContext,
  person: Person,
  watched: KnownPackage,
  now: number,
): void {
  const isStopped = isSuppressed(store, person);
  const startsNow = config.confirmation === 'none' && !isStopped;
  const watch = addWatch(store, person.id, watched, startsNow ? 'active' : 'asked', now);
  if (isStopped) return;
  if (startsNow) welcome(store, brandName, watch, watched, now);
  else ask(store, brandName, person, watch, watched, now);
}

/** One unanswered question to a number, and then silence. */
function ask(
  store: AlertStore,
  brandName: string,
  { id, numberKey }: Person,
  watch: Watch,
  watched: KnownPackage,
  now: number,
): void {
  if (!noteAsking(store, numberKey, now)) return;
  queueMessage(store, {
    person: id,
    watch: watch.id,
    kind: 'confirm',
    body: confirmText(brandName, watched),
    now,
  });
}

/** One welcome a day, however many watches begin. */
function welcome(
  store: AlertStore,
  brandName: string,
  watch: Watch,
  watched: KnownPackage,
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
