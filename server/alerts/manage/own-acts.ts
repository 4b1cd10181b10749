import type { Pence } from '../../../domain/money.ts';
import { type FoundLink, findLink, type LinkContext } from '../inbound/find-link.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { markForOverwriting } from '../tables/erase-number.ts';
import { deletePerson } from '../tables/erase-person.ts';
import { dropQueuedMessages } from '../tables/messages.ts';
import type { Person } from '../tables/people.ts';
import { stopContacts } from '../tables/stop-contacts.ts';
import type { Channel } from '../tables/stop-scope.ts';
import { liftSuppression } from '../tables/suppression.ts';
import { changeLimit, endWatch, endWatches, watchByNumber } from '../tables/watches.ts';
import { ownAlerts } from './own-alerts.ts';
import { ownData } from './own-data.ts';
import { type NewsOfForm, type OwnPage, ownPage } from './own-page.ts';

/** What a person chose on the page of their alerts. `watch` is the watch's own number. */
export type OwnAct =
  | { kind: 'stop one'; watch: number }
  | { kind: 'limit'; watch: number; below: Pence | null }
  | { kind: 'stop all' }
  | { kind: 'stop everything' }
  | { kind: 'start' }
  | { kind: 'delete' };

/** `unusable`: the link was changed, has expired, or its person's records are deleted. */
export type OwnResult<T> = { kind: 'done'; value: T } | { kind: 'unusable' };

type Context = LinkContext & { siteUrl: string | null };

/** `isDone`: false if the watch has ended already, or if the act is not for that channel. */
export interface OwnDone {
  isDone: boolean;
  channel: Channel;
}

/** The page of a person's alerts behind a link. Changes nothing. */
export function viewOwn(context: Context, token: string, news: NewsOfForm): OwnResult<OwnPage> {
  const found = findLink(context, token, 'manage');
  if (found === null) return { kind: 'unusable' };
  return { kind: 'done', value: ownPage(ownAlerts(context, found), token, news) };
}

/** What is kept about a person, as a file for them to keep. Changes nothing. */
export function exportOwn(context: LinkContext, token: string): OwnResult<string> {
  const found = findLink(context, token, 'manage');
  if (found === null) return { kind: 'unusable' };
  return { kind: 'done', value: ownData(context.store, found.person, context.now) };
}

/**
 * Does what was chosen, in one transaction. `stopped` are the people whose calls have to end. Deleting takes two steps:
 * this one stops, and after the calls have ended `deleteOwn` deletes.
 */
export function actOnOwn(
  context: LinkContext,
  token: string,
  act: OwnAct,
): { result: OwnResult<OwnDone>; stopped: number[] } {
  const { store } = context;
  return store.transact(() => {
    const found = findLink(context, token, 'manage');
    if (found === null) return { result: { kind: 'unusable' }, stopped: [] };
    const { isDone, stopped } = apply(context, found, act);
    const { channel } = found.person;
    return { result: { kind: 'done', value: { isDone, channel } }, stopped };
  });
}

/** Deletes a stopped person's records. */
export function deleteOwn(context: LinkContext, token: string): void {
  const { store } = context;
  store.transact(() => {
    const found = findLink(context, token, 'manage');
    if (found === null) return;
    markForOverwriting(store);
    deletePerson(store, found.person);
  });
}

function apply(
  { store, now }: LinkContext,
  { person }: FoundLink,
  act: OwnAct,
): { isDone: boolean; stopped: number[] } {
  switch (act.kind) {
    case 'stop one':
      return { isDone: onWatch(store, person, act.watch, (id) => endWatch(store, id, now)), stopped: [] };
    case 'limit': {
      const { watch, below } = act;
      return { isDone: onWatch(store, person, watch, (id) => changeLimit(store, id, below)), stopped: [] };
    }
    case 'start':
      // Of a number, only its own START lifts a stop; a browser signs up again.
      if (person.channel !== 'email') return { isDone: false, stopped: [] };
      liftSuppression(store, { number: null, userId: null }, person, now + 1);
      return { isDone: true, stopped: [] };
    case 'stop everything':
      return { isDone: true, stopped: stopContacts(store, person, { kind: 'everything' }, now) };
    case 'stop all':
      return { isDone: true, stopped: stopChannel(store, person, now) };
    case 'delete':
      return { isDone: true, stopped: endForDeletion(store, person, now) };
  }
}

function stopChannel(store: AlertStore, person: Person, now: number): number[] {
  return stopContacts(store, person, { kind: 'channel', channel: person.channel }, now);
}

/**
 * A number stays on the suppression list, as after DELETE, and its START lifts that. An address or a browser does not,
 * because nothing of its own could lift it, and it is asked to confirm before anything else is sent.
 */
function endForDeletion(store: AlertStore, person: Person, now: number): number[] {
  if (person.channel === 'whatsapp') return stopChannel(store, person, now);
  endWatches(store, person.id, now);
  dropQueuedMessages(store, person.id, 'deleted', now);
  return [person.id];
}

function onWatch(store: AlertStore, person: Person, number: number, work: (id: number) => void): boolean {
  const watch = watchByNumber(store, person.id, number);
  if (watch === null) return false;
  work(watch.id);
  return true;
}
