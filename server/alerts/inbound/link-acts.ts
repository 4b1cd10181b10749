import { formatWholePounds } from '../../../domain/money.ts';
import type { LinkPurpose } from '../keys/signed-link.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { deleteConfirmationRequest } from '../tables/confirmation-requests.ts';
import { recordConsent } from '../tables/consent.ts';
import { type Channel, type Contact, contactsOfOwner } from '../tables/contacts.ts';
import { NO_SENDER } from '../tables/sender.ts';
import { isSuppressed, liftSuppression, stopChannel, stopEverything } from '../tables/stops.ts';
import { endWatch, startWatches } from '../tables/watches.ts';
import { describePackage } from '../texts/message-text.ts';
import { type FoundLink, type LinkContext, type LinkResult, type Stopped, withLink } from './find-link.ts';

export interface LinkView {
  channel: Channel;
  isStopped: boolean;
  /** Whether the person has other contacts, which stopping everything would stop too. */
  hasOthers: boolean;
  /** The holiday that the link is about; null if it is about no single watch, or if the watch has ended. */
  holiday: string | null;
  /** The first `MAX_SHOWN` holidays that await confirmation; empty for a stop link. */
  waiting: readonly string[];
  waitingInAll: number;
}

/** Limits the work: each package is read from the store, in the thread that processes STOPs. */
const MAX_SHOWN = 100;

/** The action that a form or a mail program requests. */
export type LinkAct = 'confirm' | 'start' | StopChoice;
export type StopChoice = 'watch' | 'channel' | 'everything';

/** Reads what a link's page shows. Changes nothing, because virus scanners open every link. */
export function viewLink(context: LinkContext, token: string, purpose: LinkPurpose): LinkResult<LinkView> {
  return withLink(context, token, purpose, (found) => viewOf(context, found));
}

export function actOnLink(
  context: LinkContext,
  token: string,
  purpose: LinkPurpose,
  act: LinkAct,
): LinkResult<LinkView & Stopped> {
  return context.store.transact(() =>
    withLink(context, token, purpose, (found) => {
      const stopped = apply(context, found, act);
      return { ...viewOf(context, found), stopped };
    }),
  );
}

function apply({ store, now }: LinkContext, { link, contact }: FoundLink, act: LinkAct): number[] {
  switch (act) {
    case 'confirm':
      confirm(store, contact, now);
      return [];
    case 'start':
      // One millisecond later, because at equal times a STOP counts.
      liftSuppression(store, NO_SENDER, contact, now + 1);
      return [];
    case 'everything':
      return stopEverything(store, contact, now);
    case 'watch':
    case 'channel':
      if (act === 'watch' && link.watch !== null) {
        endWatch(store, link.watch, now);
        return [contact.id];
      }
      return stopChannel(store, contact, now);
  }
}

/** Starts what awaits confirmation, unless the contact is stopped: only 'start' lifts a stop. */
function confirm(store: AlertStore, contact: Contact, now: number): void {
  if (isSuppressed(store, contact)) return;
  for (const { itemKey } of startWatches(store, contact.id, now))
    recordConsent(store, { contact, act: 'confirmed', itemKey, now });
  deleteConfirmationRequest(store, contact.id);
}

function viewOf({ store }: LinkContext, { link, contact }: FoundLink): LinkView {
  const { sql } = store;
  const about = sql.get<{ item_key: string }>`select item_key from alert_watch
    where id = ${link.watch} and contact = ${contact.id} and state <> 'ended'`;
  // A stop link's page does not show what awaits confirmation.
  const shown = link.purpose === 'confirm' ? MAX_SHOWN : 0;
  const waiting = sql.all<{ item_key: string; count: number }>`
    select item_key, count(*) over () as count from alert_watch
    where contact = ${contact.id} and state = 'asked' order by number limit ${shown}`;
  return {
    channel: contact.channel,
    isStopped: isSuppressed(store, contact),
    hasOthers: contactsOfOwner(store, contact).length > 0,
    holiday: about === undefined ? null : holidayWords(store, about.item_key),
    waiting: waiting.map(({ item_key }) => holidayWords(store, item_key)),
    waitingInAll: waiting[0]?.count ?? 0,
  };
}

function holidayWords({ packages }: AlertStore, itemKey: string): string {
  const watched = packages.find(itemKey);
  if (watched === null) return "A holiday that isn't on sale at the moment";
  return `${describePackage(watched)}: ${formatWholePounds(watched.price)} now`;
}
