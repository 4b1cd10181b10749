import type { Pence } from '../../../domain/money.ts';
import { bookedLimit } from '../../../domain/search-watch.ts';
import { type LinkPurpose, readToken } from '../keys/signed-link.ts';
import { ANY_PRICE, foundOnSale, subjectOf } from '../matching/describe-search.ts';
import { beginSearches } from '../matching/search-looks.ts';
import { askAboutUnconfirmed } from '../sign-up/ask-to-confirm.ts';
import { type Limits, pinWatch } from '../sign-up/sign-up-subject.ts';
import type { AlertSession, AlertStore } from '../tables/alert-store.ts';
import { deleteConfirmationRequest } from '../tables/confirmation-requests.ts';
import { recordConsent } from '../tables/consent.ts';
import { type Contact, contactById, contactsOfOwner } from '../tables/contacts.ts';
import { deleteContact } from '../tables/erasure.ts';
import { dropQueuedMessages } from '../tables/messages.ts';
import { changeSearchLimit, searchWatchOf } from '../tables/search-watches.ts';
import { isSuppressed, startContact, stopChannel, stopEverything } from '../tables/stops.ts';
import {
  endWatch,
  endWatches,
  pauseWatch,
  restartWatch,
  startWatches,
  type Watch,
  watchByNumber,
} from '../tables/watches.ts';
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
    withLink({ ...context, store: tx }, token, 'manage', async ({ contact }) => {
      // A number can still send START. The links of other contacts end here, and with them any way to lift a stop.
      if (contact.channel !== 'whatsapp')
        await tx.sql.run`delete from alert_suppression where key = ${contact.contactKey}`;
      await deleteContact(tx, contact);
    }),
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
  { store, brandName, now }: LinkContext,
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
    case 'limit':
    case 'booked': {
      const watch = await watchByNumber(store, contact.id, act.watch);
      const isDone = watch !== null && (await changeLimits(store, watch, limitsOf(act), now));
      return { isDone, stopped: [] };
    }
    case 'pause': {
      const watch = await watchByNumber(store, contact.id, act.watch);
      const isDone = watch !== null && (await pauseWatch(store, watch.id, now));
      return { isDone, stopped: isDone ? [contact.id] : [] };
    }
    case 'resume': {
      const isPaused = (await watchByNumber(store, contact.id, act.watch))?.state === 'paused';
      if (!isPaused || (await isSuppressed(store, contact))) return { isDone: false, stopped: [] };
      const resumed = await restartWatch(store, contact.id, act.watch, now);
      await beginSearches(store.session, contact.id, now);
      return { isDone: resumed.length > 0, stopped: [] };
    }
    case 'start':
      // A number's stop is lifted only by START from that number. A browser signs up again instead.
      if (link.purpose === 'manage' && ['whatsapp', 'push'].includes(contact.channel))
        return { isDone: false, stopped: [] };
      // One millisecond later, because at equal times a STOP counts.
      if (await startContact(store, contact, { at: now + 1, now })) {
        await beginSearches(store.session, contact.id, now);
        await askAboutUnconfirmed({ store, brandName }, contact, now);
      }
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

function limitsOf(act: Extract<LinkAct, { kind: 'limit' | 'booked' }>): Limits {
  if (act.kind === 'booked') return { limit: bookedLimit(act.price), booked: act.price };
  return { limit: act.below ?? ANY_PRICE, booked: null };
}

/** Changes what a watch asks for. A package with a limit, or booked, is watched as the search that finds it. */
async function changeLimits(
  store: AlertSession,
  watch: Watch,
  limits: Limits,
  now: number,
): Promise<boolean> {
  const own = await searchWatchOf(store, watch.id);
  if (own !== null && limits.booked === null) {
    await changeSearchLimit(store, watch.id, limits);
    await beginSearches(store.session, watch.contact, now);
    return true;
  }
  const onSale =
    own === null
      ? await store.packages.find(watch.itemKey)
      : ((await foundOnSale(store, watch.itemKey, 1, now))[0] ?? null);
  const began: Pence | null = own === null ? (onSale?.price ?? null) : own.began;
  return onSale !== null && (await pinWatch(store, watch, onSale, { ...limits, began }, now));
}

/** Starts what awaits confirmation, unless the contact is stopped: only 'start' lifts a stop. */
async function confirm(store: AlertSession, contact: Contact, now: number): Promise<void> {
  if (await isSuppressed(store, contact)) return;
  for (const { itemKey } of await startWatches(store, contact.id, { confirmedAt: now, now }))
    await recordConsent(store, contact, 'confirmed', itemKey, now);
  await beginSearches(store.session, contact.id, now);
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
  return found.link.purpose === 'confirm' ? confirmPage(view, token, act) : stopPage(view, act);
}

/** Limits the work: each package is read from the store, in the thread that processes STOPs. */
const MAX_SHOWN = 100;

async function viewOf({ store, now }: LinkContext, { link, contact }: FoundLink): Promise<LinkView> {
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
    holiday: about === undefined ? null : await holidayWords(store, about.item_key, now),
    waiting: await Promise.all(waiting.map(({ item_key }) => holidayWords(store, item_key, now))),
    waitingInAll: waiting[0]?.count ?? 0,
  };
}

async function holidayWords(store: AlertSession, itemKey: string, now: number): Promise<string> {
  const subject = await subjectOf(store, itemKey, now);
  if (subject === null) return "A holiday that isn't on sale at the moment";
  return `${subject.words}: ${subject.now}`;
}
