import type { Pence } from '../../../domain/money.ts';
import {
  type FoundLink,
  type LinkContext,
  type LinkResult,
  type Stopped,
  withLink,
} from '../inbound/find-link.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import type { Channel, Contact } from '../tables/contacts.ts';
import { deleteContact } from '../tables/erasure.ts';
import { dropQueuedMessages } from '../tables/messages.ts';
import { NO_SENDER } from '../tables/sender.ts';
import { liftSuppression, stopChannel, stopEverything } from '../tables/stops.ts';
import { changeLimit, endWatch, endWatches, watchByNumber } from '../tables/watches.ts';
import { ownAlerts } from './own-alerts.ts';
import { ownData } from './own-data.ts';
import { type LinkPage, type NewsOfForm, ownPage } from './own-page.ts';

/** A form on the page of a person's alerts. `watch` is the number that the person sees. */
export type OwnAct =
  | { kind: 'stop one'; watch: number }
  | { kind: 'limit'; watch: number; below: Pence | null }
  | { kind: 'stop all' }
  | { kind: 'stop everything' }
  | { kind: 'start' }
  | { kind: 'delete' };

type Context = LinkContext & { siteUrl: string | null };

/** `isDone` is false if the watch has already ended, or if the channel does not allow the act. */
export interface OwnDone extends Stopped {
  isDone: boolean;
  channel: Channel;
}

/** The page of a person's alerts behind a link. Changes nothing. */
export function viewOwn(context: Context, token: string, news: NewsOfForm): LinkResult<LinkPage> {
  return withLink(context, token, 'manage', (found) => ownPage(ownAlerts(context, found), token, news));
}

/** What is kept about a person, as a file for them to keep. Changes nothing. */
export function exportOwn(context: LinkContext, token: string): LinkResult<string> {
  return withLink(context, token, 'manage', ({ contact }) => ownData(context.store, contact, context.now));
}

/** Carries out the form. Running calls to the people in `stopped` must end before `deleteOwn`. */
export function actOnOwn(context: LinkContext, token: string, act: OwnAct): LinkResult<OwnDone> {
  return context.store.transact(() =>
    withLink(context, token, 'manage', (found) => ({
      ...apply(context, found, act),
      channel: found.contact.channel,
    })),
  );
}

export function deleteOwn(context: LinkContext, token: string): void {
  const { store } = context;
  store.transact(() => withLink(context, token, 'manage', ({ contact }) => deleteContact(store, contact)));
}

function apply({ store, now }: LinkContext, { contact }: FoundLink, act: OwnAct): Omit<OwnDone, 'channel'> {
  switch (act.kind) {
    case 'stop one':
      return { isDone: onWatch(store, contact, act.watch, (id) => endWatch(store, id, now)), stopped: [] };
    case 'limit': {
      const { watch, below } = act;
      return { isDone: onWatch(store, contact, watch, (id) => changeLimit(store, id, below)), stopped: [] };
    }
    case 'start':
      // A number's stop is lifted only by START from that number. A browser signs up again instead.
      if (contact.channel !== 'email') return { isDone: false, stopped: [] };
      liftSuppression(store, NO_SENDER, contact, now + 1);
      return { isDone: true, stopped: [] };
    case 'stop everything':
      return { isDone: true, stopped: stopEverything(store, contact, now) };
    case 'stop all':
      return { isDone: true, stopped: stopChannel(store, contact, now) };
    case 'delete':
      return { isDone: true, stopped: endForDeletion(store, contact, now) };
  }
}

/** Suppresses a number, which can send START. Other contacts can only sign up again, so it just ends their watches. */
function endForDeletion(store: AlertStore, contact: Contact, now: number): number[] {
  if (contact.channel === 'whatsapp') return stopChannel(store, contact, now);
  endWatches(store, contact.id, now);
  dropQueuedMessages(store, contact.id, 'deleted', now);
  return [contact.id];
}

function onWatch(store: AlertStore, contact: Contact, number: number, work: (id: number) => void): boolean {
  const watch = watchByNumber(store, contact.id, number);
  if (watch === null) return false;
  work(watch.id);
  return true;
}
