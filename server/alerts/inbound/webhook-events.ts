import { setImmediate as nextTurn } from 'node:timers/promises';
import { applyDeliveryStatus } from '../delivery/attempt-outcome.ts';
import { holdTemplate, releaseTemplate } from '../delivery/pauses.ts';
import type { MessageProvider, ProviderEvent } from '../providers/message-provider.ts';
import type { AlertSession, AlertStore } from '../tables/alert-store.ts';
import { findContact } from '../tables/contacts.ts';
import { dropQueuedMessages } from '../tables/messages.ts';
import { raiseNotice } from '../tables/notices.ts';
import { isSuppressed, suppress } from '../tables/stops.ts';
import { endWatches } from '../tables/watches.ts';
import { processInboundMessage, stopSender } from './inbound-message.ts';
import type { InboundContext } from './replies.ts';

/** Short, because sign-ups wait in the same thread. */
const TRANSACTION_MS = 50;

/**
 * Processes a webhook's events, possibly thousands, in short transactions. Skips repeated events, so the
 * provider may send a failed webhook again. Calls to stopped people end before the next transaction begins.
 */
export async function processEvents(
  contextNow: () => InboundContext<AlertStore>,
  provider: Pick<MessageProvider, 'errorAction'>,
  events: readonly ProviderEvent[],
  endCallsTo: (contact: number) => Promise<void>,
): Promise<void> {
  const waiting = events.values();
  for (let isDone = false; !isDone; ) {
    const processed = await processSome(contextNow(), provider, waiting);
    await Promise.all(processed.stopped.map(endCallsTo));
    isDone = processed.isDone;
    if (!isDone) await nextTurn();
  }
}

async function processSome(
  { store, ...others }: InboundContext<AlertStore>,
  provider: Pick<MessageProvider, 'errorAction'>,
  waiting: Iterator<ProviderEvent>,
): Promise<{ stopped: number[]; isDone: boolean }> {
  const stopped: number[] = [];
  const isDone = await store.transact(async (tx) => {
    const context = { ...others, store: tx };
    const begun = performance.now();
    while (performance.now() - begun < TRANSACTION_MS) {
      const { value: event, done } = waiting.next();
      if (done === true) return true;
      const contact = (await isNew(context, event))
        ? await processEvent(context, provider, event)
        : await stoppedBefore(tx, event);
      if (contact !== null) stopped.push(contact);
    }
    return false;
  });
  return { stopped, isDone };
}

/** States in which Meta accepts a template. */
const USABLE = new Set(['APPROVED', 'REINSTATED', 'FLAGGED']);

/** Returns the person whose running calls must end, or null. */
async function processEvent(
  context: InboundContext,
  provider: Pick<MessageProvider, 'errorAction'>,
  event: ProviderEvent,
): Promise<number | null> {
  const { store, now } = context;
  switch (event.kind) {
    case 'message':
      return processInboundMessage(context, event);
    case 'stop':
      return stopSender(context, event.sender, event.at);
    case 'status':
      await applyDeliveryStatus(store, provider, event, now);
      return null;
    case 'number changed':
      return changeNumber(store, event, now);
    case 'template': {
      const { template, state, reason } = event;
      if (USABLE.has(state)) await releaseTemplate(store, template, now);
      else await holdTemplate(store, template, [state, reason].filter(Boolean).join(': '), now);
      return null;
    }
    case 'account':
      await raiseNotice(store, 'account', event.text, now);
      return null;
  }
}

/** Ends the old number's watches, as the new number has not consented. A stop applies to the new number too. */
async function changeNumber(
  store: AlertSession,
  { sender, to }: Extract<ProviderEvent, { kind: 'number changed' }>,
  now: number,
): Promise<number | null> {
  const contact = await findContact(store, sender);
  const contactKey = sender.number === null ? '' : store.keys.keyFor('number', sender.number);
  const userKey = sender.userId === null ? null : store.keys.keyFor('user', sender.userId);
  const isStopped = await isSuppressed(store, contact ?? { contactKey, userKey });
  if (isStopped) await suppress(store, to, await findContact(store, to), now);
  if (contact === null) return null;
  const watches = await endWatches(store, contact.id, now);
  await dropQueuedMessages(store, contact.id, 'the number changed', now);
  const stop = isStopped ? ' Its stop applies to the new number too.' : '';
  const text = `A subscriber has changed their number. Watches of the old number ended: ${watches}.${stop}`;
  await raiseNotice(store, 'number changed', text, now);
  return contact.id;
}

/** The sender of a repeated STOP, or null. Its webhook, too, waits until the calls to that person have ended. */
async function stoppedBefore(store: AlertSession, event: ProviderEvent): Promise<number | null> {
  if (event.kind !== 'message' && event.kind !== 'stop') return null;
  const contact = await findContact(store, event.sender);
  return contact !== null && (await isSuppressed(store, contact)) ? contact.id : null;
}

/** Keeps only a hash of the event's ID, which may contain the number. */
async function isNew({ store: { sql, keys }, now }: InboundContext, event: ProviderEvent): Promise<boolean> {
  const key = keys.keyFor('event', `${event.kind} ${event.id}`);
  const { changes } = await sql.run`insert into alert_event (event_key, at) values (${key}, ${now})
    on conflict (event_key) do nothing`;
  return changes === 1;
}
