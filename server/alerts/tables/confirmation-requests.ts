import { LINK_DAYS } from '../keys/signed-link.ts';
import type { AlertSession } from './alert-store.ts';
import type { Contact } from './contacts.ts';

const CONFIRM_LINK_MS = LINK_DAYS.confirm * 24 * 60 * 60 * 1000;

/** While a request's outcome is unknown, a new sign-up sends another only after this time. */
const UNKNOWN_FOR_MS = 15 * 60 * 1000;

/**
 * Records a confirmation request; returns false if an earlier one is unanswered or about to be sent. Where a
 * link confirms, a second request (`went_out` is 2) follows once the link in the first has expired.
 */
export async function recordConfirmationRequest(
  store: AlertSession,
  { contactKey, channel }: Pick<Contact, 'contactKey' | 'channel'>,
  now: number,
): Promise<boolean> {
  const { sql } = store;
  const asked = await sql.get`select went_out, at from alert_asked where contact_key = ${contactKey}`;
  if (channel !== 'whatsapp' && asked?.went_out === 1 && Number(asked.at) <= now - CONFIRM_LINK_MS) {
    await sql.run`update alert_asked set went_out = 2, at = ${now} where contact_key = ${contactKey}`;
    return true;
  }
  if (asked !== undefined && asked.went_out !== 0) return false;
  if (asked !== undefined && (await isOnItsWay(store, contactKey, now))) return false;
  await sql.run`insert into alert_asked (contact_key, at, went_out) values (${contactKey}, ${now}, 0)
    on conflict (contact_key) do update set at = excluded.at`;
  return true;
}

async function isOnItsWay({ sql }: AlertSession, contactKey: string, now: number): Promise<boolean> {
  const since = now - UNKNOWN_FOR_MS;
  const found =
    await sql.get`select 1 from alert_message join alert_contact on alert_contact.id = alert_message.contact
    where contact_key = ${contactKey} and kind = 'confirm'
      and (state in ('queued', 'sending') or (state = 'unknown' and settled_at > ${since}))`;
  return found !== undefined;
}

/** Records that a request was accepted: the contact gets no other. */
export async function recordConfirmationSent(
  { sql }: AlertSession,
  contact: number,
  now: number,
): Promise<void> {
  await sql.run`update alert_asked set went_out = 1, at = ${now} where went_out = 0
    and contact_key = (select contact_key from alert_contact where id = ${contact})`;
}

/** Providers give times in whole seconds, so a reply may seem to come before the request. */
const SECOND_MS = 1_000;

/** Whether a message was written after our latest confirmation request, which is unanswered, was sent. */
export async function answersConfirmationRequest(
  { sql }: AlertSession,
  { id, contactKey }: Contact,
  writtenAt: number,
): Promise<boolean> {
  const asked = await sql.get`select at, went_out from alert_asked where contact_key = ${contactKey}`;
  if (asked === undefined) return false;
  // Until the request has been accepted, earlier attempts belong to requests that have been answered.
  const since = asked.went_out === 0 ? Number(asked.at) : 0;
  const attempt = await sql.get`select max(started_at) as at from alert_message
    where contact = ${id} and kind = 'confirm' and refused is null and started_at >= ${since}`;
  // Messages are deleted earlier than requests.
  const sentAt = attempt?.at ?? (asked.went_out === 0 ? null : asked.at);
  return sentAt !== null && writtenAt + SECOND_MS > Number(sentAt);
}

/** Allows a new request, because the person has answered or never got the last one. */
export async function deleteConfirmationRequest({ sql }: AlertSession, contact: number): Promise<void> {
  await sql.run`delete from alert_asked
    where contact_key = (select contact_key from alert_contact where id = ${contact})`;
}

/** Records that a failed request is sent again. It counts as sent once it is accepted. */
export async function awaitConfirmation({ sql }: AlertSession, contact: number, now: number): Promise<void> {
  await sql.run`insert into alert_asked (contact_key, at, went_out)
    select contact_key, ${now}, 0 from alert_contact where id = ${contact} on conflict (contact_key) do nothing`;
}
