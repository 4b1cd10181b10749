import { setImmediate as nextTurn } from 'node:timers/promises';
import { processAccountEvent } from '../delivery/account-events.ts';
import { applyDeliveryStatus } from '../delivery/attempt-outcome.ts';
import type { MessageProvider, ProviderEvent } from '../providers/message-provider.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { findContact } from '../tables/contacts.ts';
import { isSuppressed } from '../tables/stops.ts';
import { processInboundMessage, stopSender } from './inbound-message.ts';
import type { InboundContext } from './replies.ts';

/** Short, because sign-ups wait in the same thread. */
const TRANSACTION_MS = 50;

/**
 * Processes a webhook's events, possibly thousands, in short transactions. Skips repeated events, so the
 * provider may send a failed webhook again. Calls to stopped people end before the next transaction begins.
 */
export async function processEvents(
  contextNow: () => InboundContext,
  provider: Pick<MessageProvider, 'errorAction'>,
  events: readonly ProviderEvent[],
  endCallsTo: (contact: number) => Promise<void>,
): Promise<void> {
  const waiting = events.values();
  for (let isDone = false; !isDone; ) {
    const processed = processSome(contextNow(), provider, waiting);
    await Promise.all(processed.stopped.map(endCallsTo));
    isDone = processed.isDone;
    if (!isDone) await nextTurn();
  }
}

function processSome(
  context: InboundContext,
  provider: Pick<MessageProvider, 'errorAction'>,
  waiting: Iterator<ProviderEvent>,
): { stopped: number[]; isDone: boolean } {
  const stopped: number[] = [];
  const isDone = context.store.transact(() => {
    const begun = performance.now();
    while (performance.now() - begun < TRANSACTION_MS) {
      const { value: event, done } = waiting.next();
      if (done === true) return true;
      const contact = isNew(context, event)
        ? processEvent(context, provider, event)
        : stoppedBefore(context.store, event);
      if (contact !== null) stopped.push(contact);
    }
    return false;
  });
  return { stopped, isDone };
}

function processEvent(
  context: InboundContext,
  provider: Pick<MessageProvider, 'errorAction'>,
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

/** The sender of a repeated STOP, or null. Its webhook, too, waits until the calls to that person have ended. */
function stoppedBefore(store: AlertStore, event: ProviderEvent): number | null {
  if (event.kind !== 'message' && event.kind !== 'stop') return null;
  const contact = findContact(store, event.sender);
  return contact !== null && isSuppressed(store, contact) ? contact.id : null;
}

/** Keeps only a hash of the event's ID, which may contain the number. */
function isNew({ store: { sql, keys }, now }: InboundContext, event: ProviderEvent): boolean {
  const key = keys.keyFor('event', `${event.kind} ${event.id}`);
  const { changes } = sql.run`insert into alert_event (event_key, at) values (${key}, ${now})
    on conflict (event_key) do nothing`;
  return changes === 1;
}
