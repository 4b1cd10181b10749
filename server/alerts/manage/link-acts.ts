import { type LinkPurpose, readToken } from '../keys/signed-link.ts';
import type { AlertSession, AlertStore } from '../tables/alert-store.ts';
import { deleteConfirmationRequest } from '../tables/confirmation-requests.ts';
import { recordConfirmed } from '../tables/consent.ts';
import { type Contact, contactById, contactsOfOwner } from '../tables/contacts.ts';
import { deleteContact } from '../tables/erasure.ts';
import { dropQueuedMessages } from '../tables/messages.ts';
import { isSuppressed, startContact, stopChannel, stopEverything } from '../tables/stops.ts';
import { changeLimit, endWatch, endWatches, startWatches, watchByNumber } from '../tables/watches.ts';
import { describePackage, priceNow } from '../texts/message-text.ts';
import { confirmPage, type LinkAct, type LinkView, stopPage } from './link-pages.ts';
import { type FoundLink, type LinkContext, ownAlerts } from './own-alerts.ts';
import { ownData } from './own-data.ts';
import { deletedPage, type LinkPage, type NewsOfForm, ownPage } from './own-page.ts';

export interface Acted {
  /** False if the watch has already ended, or if the channel does not allow the act. */
  isDone: boolean;
  /** The people whose running calls must end. */
  stopped: number[];
  /** What the page says afterwards; null: the page of the person's alerts says it. */
  page: LinkPage | null;
}

/** The page behind a link; null if the link is unusable. Changes nothing, because scanners open every link. */
export async function viewLink(
  context: LinkContext,
  token: string,
  purpose: LinkPurpose,
  news: NewsOfForm,
): Promise<LinkPage | null> {
  return withLink(context, token, purpose, async (found) =>
    purpose === 'manage'
      ? ownPage(await ownAlerts(context, found), token, news)
      : await pageOf(context, found, token, null),
  );
}

/** What is kept about a person, as a file for them to keep; null if the link is unusable. Changes nothing. */
export async function exportOwn(context: LinkContext, token: string): Promise<string | null> {
  return withLink(context, token, 'manage', ({ contact }) => ownData(context.store, contact, context.now));
}

/** Carries out the act; null if the link is unusable. Running calls to those in `stopped` must end next. */
export async function actOnLink(
  { store, ...others }: LinkContext<AlertStore>,
  token: string,
  purpose: LinkPurpose,
  act: LinkAct,
): Promise<Acted | null> {
  return store.transact(async (tx) => {
    const context = { ...others, store: tx };
    return withLink(context, token, purpose, async (found) => {
      const done = await apply(context, found, act);
      if (act.kind === 'delete') return { ...done, page: deletedPage(found.contact.channel) };
      return { ...done, page: purpose === 'manage' ? null : await pageOf(context, found, token, act) };
    });
  });
}

/** Deletes a person after the act 'delete', once no call to them is running. */
export async function deleteOwn(context: LinkContext<AlertStore>, token: string): Promise<void> {
  await context.store.transact((tx) =>
    withLink({ ...context, store: tx }, token, 'manage', ({ contact }) => deleteContact(tx, contact)),
  );
}

/** Null if the link was altered, expired or made for another purpose, or if its person is deleted. */
async function withLink<T>(
  { store, now }: LinkContext,
  token: string,
  purpose: LinkPurpose,
  work: (found: FoundLink) => Promise<T>,
): Promise<T | null> {
  const link = await readToken(
    store.keys,
    token,
    now,
    async (id) => (await contactById(store, id))?.createdAt ?? null,
  );
  if (link?.purpose !== purpose) return null;
  const contact = await contactById(store, link.contact);
  return contact === null ? null : await work({ link, contact });
}

async function apply(
  { store, now }: LinkContext,
  { link, contact }: FoundLink,
  act: LinkAct,
): Promise<Omit<Acted, 'page'>> {
  const done = (stopped: number[] = []) => ({ isDone: true, stopped });
  switch (act.kind) {
    case 'confirm':
      await confirm(store, contact, now);
      return done();
    case 'stop one': {
      if (act.watch === null && link.watch === null) return done(await stopChannel(store, contact, now));
      const watch =
        act.watch === null ? link.watch : ((await watchByNumber(store, contact.id, act.watch))?.id ?? null);
      if (watch === null) return { isDone: false, stopped: [] };
      await endWatch(store, watch, now);
      return done([contact.id]);
    }
    case 'limit': {
      const watch = await watchByNumber(store, contact.id, act.watch);
      if (watch !== null) await changeLimit(store, watch.id, act.below);
      return { isDone: watch !== null, stopped: [] };
    }
    case 'start':
      // A number's stop is lifted only by START from that number. A browser signs up again instead.
      if (link.purpose === 'manage' && contact.channel !== 'email') return { isDone: false, stopped: [] };
      // One millisecond later, because at equal times a STOP counts.
      await startContact(store, contact, { at: now + 1, now });
      return done();
    case 'stop everything':
      return done(await stopEverything(store, contact, now));
    case 'stop all':
      return done(await stopChannel(store, contact, now));
    case 'delete':
      // A number can send START. Other contacts can only sign up again, so their watches just end.
      if (contact.channel === 'whatsapp') return done(await stopChannel(store, contact, now));
      await endWatches(store, contact.id, now);
      await dropQueuedMessages(store, contact.id, 'deleted', now);
      return done([contact.id]);
  }
}

/** Starts what awaits confirmation, unless the contact is stopped: only 'start' lifts a stop. */
async function confirm(store: AlertSession, contact: Contact, now: number): Promise<void> {
  if (await isSuppressed(store, contact)) return;
  for (const { itemKey } of await startWatches(store, contact.id, { confirmedAt: now, now }))
    await recordConfirmed(store, contact, itemKey, now);
  await deleteConfirmationRequest(store, contact.id);
}

/** The page of a link that confirms or stops; `act` is what the person has just done, or null. */
async function pageOf(
  context: LinkContext,
  found: FoundLink,
  token: string,
  act: LinkAct | null,
): Promise<LinkPage> {
  const view = await viewOf(context, found);
  return found.link.purpose === 'confirm' ? confirmPage(view, token, act) : stopPage(view, token, act);
}

/** Limits the work: each package is read from the store, in the thread that processes STOPs. */
const MAX_SHOWN = 100;

async function viewOf({ store }: LinkContext, { link, contact }: FoundLink): Promise<LinkView> {
  const { sql } = store;
  const about = await sql.get<{ item_key: string }>`select item_key from alert_watch
    where id = ${link.watch} and contact = ${contact.id} and state <> 'ended'`;
  // A stop link's page does not show what awaits confirmation.
  const shown = link.purpose === 'confirm' ? MAX_SHOWN : 0;
  const waiting = await sql.all<{ item_key: string; count: number }>`
    select item_key, count(*) over () as count from alert_watch
    where contact = ${contact.id} and state = 'asked' order by number limit ${shown}`;
  return {
    channel: contact.channel,
    isStopped: await isSuppressed(store, contact),
    hasOthers: (await contactsOfOwner(store, contact)).length > 0,
    holiday: about === undefined ? null : await holidayWords(store, about.item_key),
    waiting: await Promise.all(waiting.map(({ item_key }) => holidayWords(store, item_key))),
    waitingInAll: waiting[0]?.count ?? 0,
  };
}

async function holidayWords({ packages }: AlertSession, itemKey: string): Promise<string> {
  const watched = await packages.find(itemKey);
  if (watched === null) return "A holiday that isn't on sale at the moment";
  return `${describePackage(watched)}: ${priceNow(watched)}`;
}
