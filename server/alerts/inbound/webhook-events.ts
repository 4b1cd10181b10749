import { processAccountEvent } from '../delivery/account-events.ts';
import { applyDeliveryStatus } from '../delivery/delivery-status.ts';
import type { MessageProvider, ProviderEvent } from '../providers/message-provider.ts';
import type { AlertStore } from '../records/alert-store.ts';
import { findPerson } from '../records/people.ts';
import { isSuppressed } from '../records/suppression.ts';
import { processInboundMessage, stopSender } from './inbound-message.ts';
import type { InboundContext } from './replies.ts';

/**
 * Processes the events of a webhook in one transaction. An event that arrives again is skipped. Returns the people that
 * they stopped.
 */
export function processEvents(
  context: InboundContext,
  provider: MessageProvider['name'],
  events: readonly ProviderEvent[],
): number[] {
  const { store } = context;
  return store.transact(() =>
    events.flatMap((event) => {
      const stopped = isNew(context, event)
        ? processEvent(context, provider, event)
        : stoppedBefore(store, event);
      return stopped === null ? [] : [stopped];
    }),
  );
}

function processEvent(
  context: InboundContext,
  provider: MessageProvider['name'],
  event: ProviderEvent,
): number | null {
  switch (event.kind) {
    case 'message':
      return processInboundMessage(context, event).stopped;
    case 'stop':
      return stopSender(context, event.sender, event.at).stopped;
    case 'status':
      applyDeliveryStatus(context.store, provider, event, context.now);
      return null;
    case 'number changed':
    case 'template':
    case 'quality':
      return processAccountEvent(context.store, event, context.now);
  }
}

/** A repeated stop also waits for the calls to its person, so its response is not sent before the first one's. */
function stoppedBefore(store: AlertStore, event: ProviderEvent): number | null {
  if (event.kind !== 'message' && event.kind !== 'stop') return null;
  const person = findPerson(store, event.sender);
  return person !== null && isSuppressed(store, person) ? person.id : null;
}

/** Only a hash of the event's ID is kept, because the ID may contain the number. */
function isNew({ store: { sql, keys }, now }: InboundContext, event: ProviderEvent): boolean {
  const key = keys.hash('event', `${event.kind} ${event.id}`);
  const { changes } = sql.run`insert into alert_event (event_key, at) values (${key}, ${now})
    on conflict (event_key) do nothing`;
  return changes === 1;
}
