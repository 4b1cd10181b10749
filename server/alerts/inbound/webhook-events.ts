import { processAccountEvent } from '../delivery/account-events.ts';
import { applyDeliveryStatus } from '../delivery/delivery-status.ts';
import type { MessageProvider, ProviderEvent } from '../providers/message-provider.ts';
import type { AlertStore } from '../records/alert-store.ts';
import { findPerson } from '../records/people.ts';
import { isSuppressed } from '../records/suppression.ts';
import { processInboundMessage, stopSender } from './inbound-message.ts';

/**
 * Processes the events of a webhook in one transaction. An event that arrives again is skipped. Returns the people that
 * they stopped.
 */
export function processEvents(
  store: AlertStore,
  provider: MessageProvider['name'],
  brandName: string,
  events: readonly ProviderEvent[],
  now: number,
): number[] {
  return store.transact(() =>
    events.flatMap((event) => {
      const stopped = isNew(store, event, now)
        ? processEvent(store, provider, brandName, event, now)
        : stoppedBefore(store, event);
      return stopped === null ? [] : [stopped];
    }),
  );
}

function processEvent(
  store: AlertStore,
  provider: MessageProvider['name'],
  brandName: string,
  event: ProviderEvent,
  now: number,
): number | null {
  switch (event.kind) {
    case 'message':
      return processInboundMessage(store, brandName, { sender: event.sender, text: event.text, now }).stopped;
    case 'stop':
      return stopSender(store, event.sender, now).stopped;
    case 'status':
      applyDeliveryStatus(store, provider, event, now);
      return null;
    case 'number changed':
    case 'template':
    case 'quality':
      return processAccountEvent(store, event, now);
  }
}

/** A repeated stop also waits for the calls to its person, so its response is not sent before the first one's. */
function stoppedBefore(store: AlertStore, event: ProviderEvent): number | null {
  if (event.kind !== 'message' && event.kind !== 'stop') return null;
  const person = findPerson(store, event.sender);
  return person !== null && isSuppressed(store, person) ? person.id : null;
}

/** Only a hash of the event's ID is kept, because the ID may contain the number. */
function isNew({ sql, keys }: AlertStore, event: ProviderEvent, now: number): boolean {
  const key = keys.hash('event', `${event.kind} ${event.id}`);
  const { changes } = sql.run`insert into alert_event (event_key, at) values (${key}, ${now})
    on conflict (event_key) do nothing`;
  return changes === 1;
}
