import { formatWholePounds } from '../../../domain/money.ts';
import type { LinkPurpose, SignedLink } from '../keys/signed-link.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { deleteConfirmationRequest } from '../tables/confirmation-requests.ts';
import { recordConsent } from '../tables/consent.ts';
import { contactsOfOwner, type Person } from '../tables/people.ts';
import { stopContacts } from '../tables/stop-contacts.ts';
import type { Channel, StopScope } from '../tables/stop-scope.ts';
import { isSuppressed, liftSuppression } from '../tables/suppression.ts';
import { startWatches } from '../tables/watches.ts';
import { describePackage } from '../texts/message-text.ts';
import { type FoundLink, findLink, type LinkContext } from './find-link.ts';

/** What the page behind a signed link shows. */
export interface LinkView {
  channel: Channel;
  isStopped: boolean;
  /** Whether the person has other contacts, which 'everything' would stop too. */
  hasOthers: boolean;
  /** The holiday that the link is about; null if it is about none, or is no longer watched. */
  holiday: string | null;
  /** The first `MOST` holidays that wait for confirmation. None if the link stops: its page does not show them. */
  waiting: readonly string[];
  waitingInAll: number;
}

/** Holidays that are shown. Each package is read from the store, and STOPs wait for that thread. */
const MOST = 100;

/** `unusable`: the link was changed, has expired, or its person's records are deleted. */
export type LinkResult = { kind: 'view'; view: LinkView } | { kind: 'unusable' };

/** What a form, or a mail program, asks for. */
export type LinkAct = 'confirm' | 'start' | StopChoice;
export type StopChoice = 'watch' | 'channel' | 'everything';

/** Reads what a link leads to. Changes nothing: programs that look for harmful links open every one. */
export function viewLink(context: LinkContext, token: string, purpose: LinkPurpose): LinkResult {
  const found = findLink(context, token, purpose);
  return found === null ? { kind: 'unusable' } : { kind: 'view', view: viewOf(context, found) };
}

/** Does what was chosen, in one transaction. `stopped` are the people whose calls have to end. */
export function actOnLink(
  context: LinkContext,
  token: string,
  purpose: LinkPurpose,
  act: LinkAct,
): { result: LinkResult; stopped: number[] } {
  const { store } = context;
  return store.transact(() => {
    const found = findLink(context, token, purpose);
    if (found === null) return { result: { kind: 'unusable' }, stopped: [] };
    const stopped = apply(context, found, act);
    return { result: { kind: 'view', view: viewOf(context, found) }, stopped };
  });
}

function apply(context: LinkContext, { link, person }: FoundLink, act: LinkAct): number[] {
  const { store, now } = context;
  switch (act) {
    case 'confirm':
      confirm(context, person);
      return [];
    case 'start':
      // The person is at this page after the stop, whatever the two clocks say.
      liftSuppression(store, { number: null, userId: null }, person, now + 1);
      return [];
    case 'watch':
    case 'channel':
    case 'everything':
      return stopContacts(store, person, scopeOf(act, link, person), now);
  }
}

/** A stopped contact is not started: only 'start' lifts a stop (ruling 14b). */
function confirm({ store, now }: LinkContext, person: Person): void {
  if (isSuppressed(store, person)) return;
  for (const { itemKey } of startWatches(store, person.id, now))
    recordConsent(store, { person, act: 'confirmed', itemKey, now });
  deleteConfirmationRequest(store, person.id);
}

function scopeOf(choice: StopChoice, { watch }: SignedLink, { channel }: Person): StopScope {
  if (choice === 'everything') return { kind: 'everything' };
  return choice === 'watch' && watch !== null
    ? { kind: 'watches', watches: [watch] }
    : { kind: 'channel', channel };
}

function viewOf({ store }: LinkContext, { link, person }: FoundLink): LinkView {
  const about = store.sql.get`select item_key from alert_watch
    where id = ${link.watch} and person = ${person.id} and state <> 'ended'`;
  return {
    channel: person.channel,
    isStopped: isSuppressed(store, person),
    hasOthers: contactsOfOwner(store, person).length > 0,
    holiday: about === undefined ? null : holidayWords(store, String(about.item_key)),
    ...(link.purpose === 'confirm' ? waitingOf(store, person) : { waiting: [], waitingInAll: 0 }),
  };
}

function waitingOf(store: AlertStore, { id }: Person): Pick<LinkView, 'waiting' | 'waitingInAll'> {
  const asked = store.sql.all`select item_key from alert_watch
    where person = ${id} and state = 'asked' order by number limit ${MOST}`;
  const counted = store.sql.get`select count(*) as count from alert_watch
    where person = ${id} and state = 'asked'`;
  return {
    waiting: asked.map(({ item_key }) => holidayWords(store, String(item_key))),
    waitingInAll: Number(counted?.count),
  };
}

function holidayWords({ packages }: AlertStore, itemKey: string): string {
  const watched = packages.find(itemKey);
  if (watched === null) return "A holiday that isn't on sale at the moment";
  return `${describePackage(watched)}: ${formatWholePounds(watched.price)} now`;
}
