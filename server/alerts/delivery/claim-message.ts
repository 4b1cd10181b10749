import { randomUUID } from 'node:crypto';
import type { OutgoingMessage } from '../providers/message-provider.ts';
import { renderWhatsApp } from '../rendering/whatsapp-message.ts';
import { deleteConfirmationRequest } from '../tables/confirmation-requests.ts';
import { contactById, decryptContact } from '../tables/contacts.ts';
import { queueDrop } from '../tables/messages.ts';
import { composeMessage, notNow } from './compose-message.ts';
import {
  type Composition,
  firstDueMessage,
  nextDueTime,
  nextReplyTime,
  type QueuedMessage,
} from './queued-message.ts';
import { leaseMs, type SendContext } from './send-context.ts';
import { countInBudget, earliestInBudget, earliestSend } from './sending-limits.ts';
import { beginTemplateProbe, heldUntil, waitForTemplate } from './template-holds.ts';
import { advanceWatermarks } from './watermarks.ts';

/** A message whose attempt is committed. Only the process that claimed it calls the provider. */
export interface Claim {
  attempt: number;
  contact: number;
  message: OutgoingMessage;
}

export type ClaimResult = { kind: 'claimed'; claim: Claim } | { kind: 'idle'; nextAt: number | null };

const MAX_EXAMINED = 50;

/**
 * Claims the next message that may be sent now, by committing an attempt with a lease. Stops and claims are
 * transactions, so the later one sees the earlier. Throws if the commit is not confirmed, and leaves the
 * attempt's token in `unconfirmed`.
 */
export function claimNext(context: SendContext, unconfirmed: Set<string> = new Set()): ClaimResult {
  const { store } = context;
  const { channel } = context.provider;
  // Read without a lock first: the queue is usually empty.
  const due = nextDueTime(store, channel);
  if (due === null || due > context.now()) return { kind: 'idle', nextAt: due };
  const token = randomUUID();
  unconfirmed.add(token);
  const result = store.transact((): ClaimResult => {
    // The clock is read under the lock, so the lease does not include the wait for it.
    const now = context.now();
    for (let examined = 0; examined < MAX_EXAMINED; examined += 1) {
      const earliest = earliestSend(context, now);
      if (earliest > now) return { kind: 'idle', nextAt: earliest };
      const inBudget = earliestInBudget(context, now);
      const message = firstDueMessage(store, channel, now, { onlyReplies: inBudget > now });
      if (message === null) return { kind: 'idle', nextAt: nextClaimTime(context, inBudget, now) };
      const held = message.form === 'template' ? heldUntil(store, message.kind, now) : null;
      if (held !== null) {
        waitForTemplate(store, message.id, held);
        continue;
      }
      const composition = notNow(context, message, now) ?? composeMessage(context, message, now);
      if (composition.kind === 'ready')
        return { kind: 'claimed', claim: beginAttempt(context, message, composition, token, now) };
      putOff(context, message, composition, now);
    }
    return { kind: 'idle', nextAt: now };
  });
  unconfirmed.delete(token);
  return result;
}

/** When to claim next: when a message is due or, past the daily limit, when a reply is due or the day ends. */
function nextClaimTime({ store, provider }: SendContext, inBudget: number, now: number): number | null {
  if (inBudget <= now) return nextDueTime(store, provider.channel);
  return Math.min(inBudget, nextReplyTime(store, provider.channel) ?? inBudget);
}

function beginAttempt(
  context: SendContext,
  message: QueuedMessage,
  { body, itemKeys, hasMore }: Extract<Composition, { kind: 'ready' }>,
  token: string,
  now: number,
): Claim {
  const { store, provider } = context;
  const { sql } = store;
  const inserted = sql.get`insert into alert_attempt
    (message, contact, channel, token, state, started_at, lease_until)
    values (${message.id}, ${message.contact}, ${provider.channel}, ${token}, 'begun', ${now},
      ${now + leaseMs(context)}) returning id`;
  const attempt = Number(inserted?.id);
  if (message.form === 'template') beginTemplateProbe(store, message.kind, now);
  const told =
    itemKeys.length === 0 || message.watch === null
      ? null
      : advanceWatermarks(store, message.watch, itemKeys);
  sql.run`update alert_message set state = 'sending', attempt = ${attempt}, tries = tries + 1, told = ${told},
    body = ${JSON.stringify(body)}, reason = null where id = ${message.id}`;
  if (message.kind !== 'reply') countInBudget(context, now);
  // Drops that do not fit into this message are sent the next day.
  if (hasMore && message.watch !== null)
    queueDrop(store, { contact: message.contact, watch: message.watch, now });
  const { contact, watch, created_at: createdAt, form } = message;
  const to = decryptContact(store, contact);
  const about = { contact, contactSince: contactById(store, contact)?.createdAt ?? 0, watch, createdAt };
  // On the other channels, the provider adds the links.
  const hasLink = provider.channel === 'whatsapp' && message.answers_stop === 0;
  const manage = hasLink ? (context.links?.(about).manage ?? null) : null;
  const linked = provider.channel === 'whatsapp' ? renderWhatsApp(body, manage) : body;
  return { attempt, contact, message: { ...about, token, to, form, body: linked } };
}

function putOff(
  { store }: SendContext,
  message: QueuedMessage,
  composition: Exclude<Composition, { kind: 'ready' }>,
  now: number,
): void {
  const { sql } = store;
  if (composition.kind === 'wait') {
    sql.run`update alert_message set due_at = ${composition.until} where id = ${message.id}`;
    return;
  }
  sql.run`update alert_message set state = 'dropped', reason = ${composition.reason}, settled_at = ${now}
    where id = ${message.id}`;
  if (message.kind === 'confirm') deleteConfirmationRequest(store, message.contact);
}
