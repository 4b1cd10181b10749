import type { ProviderEvent } from '../providers/message-provider.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { findContact } from '../tables/contacts.ts';
import { dropQueuedMessages } from '../tables/messages.ts';
import { raiseNotice } from '../tables/notices.ts';
import { isSuppressed, suppress } from '../tables/stops.ts';
import { endWatches } from '../tables/watches.ts';
import { holdTemplate, releaseTemplate } from './template-holds.ts';

type AccountEvent = Extract<ProviderEvent, { kind: 'number changed' | 'template' | 'quality' }>;

/** States in which Meta accepts a template. */
const USABLE = new Set(['APPROVED', 'REINSTATED', 'FLAGGED']);

/** Processes an event about a number or the account. Returns the person whose messages it ended, if any. */
export function processAccountEvent(store: AlertStore, event: AccountEvent, now: number): number | null {
  switch (event.kind) {
    case 'number changed':
      return changeNumber(store, event, now);
    case 'template':
      recordState(store, `template ${event.name}`, event.state, event.reason, now);
      if (event.template === null) return null;
      if (USABLE.has(event.state)) releaseTemplate(store, event.template, now);
      else holdTemplate(store, event.template, [event.state, event.reason].filter(Boolean).join(': '), now);
      return null;
    case 'quality':
      recordState(store, `quality of ${event.subject}`, event.state, null, now);
      raiseNotice(store, 'quality', `Quality of ${event.subject}: ${event.state}`, now);
      return null;
  }
}

/** Ends the old number's watches, as the new number has not consented. A stop applies to the new number too. */
function changeNumber(
  store: AlertStore,
  { sender, to }: Extract<AccountEvent, { kind: 'number changed' }>,
  now: number,
): number | null {
  const contact = findContact(store, sender);
  const contactKey = sender.number === null ? '' : store.keys.keyFor('number', sender.number);
  const userKey = sender.userId === null ? null : store.keys.keyFor('user', sender.userId);
  const isStopped = isSuppressed(store, contact ?? { contactKey, userKey });
  if (isStopped) suppress(store, to, findContact(store, to), now);
  if (contact === null) return null;
  const watches = endWatches(store, contact.id, now);
  dropQueuedMessages(store, contact.id, 'the number changed', now);
  const stop = isStopped ? ' Its stop applies to the new number too.' : '';
  const text = `A subscriber has changed their number. Watches of the old number ended: ${watches}.${stop}`;
  raiseNotice(store, 'number changed', text, now);
  return contact.id;
}

function recordState(
  { sql }: AlertStore,
  subject: string,
  state: string,
  reason: string | null,
  now: number,
): void {
  sql.run`insert into alert_provider_state (subject, state, reason, at)
    values (${subject}, ${state}, ${reason}, ${now})
    on conflict (subject) do update set state = excluded.state, reason = excluded.reason, at = excluded.at`;
}
