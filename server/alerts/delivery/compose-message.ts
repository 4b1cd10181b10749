import { personById } from '../tables/people.ts';
import { isSuppressed } from '../tables/suppression.ts';
import { composeDrop } from './compose-drop.ts';
import type { Composition, QueuedMessage } from './queued-message.ts';
import type { SendContext } from './send-context.ts';
import { earliestSendTo } from './sending-limits.ts';

/** Composes a due message from the store as it is now, or says why it must wait or is dropped. */
export function composeMessage(context: SendContext, message: QueuedMessage, now: number): Composition {
  const { store } = context;
  const person = personById(store, message.person);
  if (person === null) return { kind: 'drop', reason: 'stopped' };
  const answersStop = message.answers_stop === 1;
  if (isSuppressed(store, person) && !answersStop) return { kind: 'drop', reason: 'stopped' };
  // A template would be a new message to somebody who has just stopped.
  if (answersStop && message.form === 'template') return { kind: 'drop', reason: 'too late' };
  const earliest = earliestSendTo(context, message.person, now);
  if (earliest > now) return { kind: 'wait', until: earliest };
  if (message.kind === 'drop') return composeDrop(context, message, now);
  if (message.body === null) return { kind: 'drop', reason: 'no text' };
  return { kind: 'ready', body: message.body, itemKeys: [], hasMore: false };
}
