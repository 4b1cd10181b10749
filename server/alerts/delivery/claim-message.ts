import type { OutgoingMessage } from '../providers/message-provider.ts';
import { renderWhatsApp } from '../rendering/whatsapp-message.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { contactById, decryptContact } from '../tables/contacts.ts';
import {
  claimMessage,
  delayMessage,
  expectedCategory,
  firstDueMessage,
  moveMessage,
  nextDueTime,
  nextReplyTime,
  type QueuedMessage,
  queueDrops,
} from '../tables/messages.ts';
import type { Composition } from './compose-drop.ts';
import { composeMessage } from './compose-message.ts';
import { beginTemplateProbe, waitForTemplate } from './pauses.ts';
import { leaseMs, type SendContext } from './send-context.ts';
import { countSent, earliestInBudget, earliestSend } from './sending-limits.ts';

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
 * attempt in `unconfirmed`.
 */
export async function claimNext(
  { store, ...others }: SendContext<AlertStore>,
  unconfirmed: Set<number> = new Set(),
): Promise<ClaimResult> {
  const { channel } = others.provider;
  // Read without a lock first: the queue is usually empty.
  const due = await nextDueTime(store, channel);
  if (due === null || due > others.now()) return { kind: 'idle', nextAt: due };
  const result = await store.transact(async (tx): Promise<ClaimResult> => {
    const context = { ...others, store: tx };
    // The clock is read under the lock, so the lease does not include the wait for it.
    const now = context.now();
    for (let examined = 0; examined < MAX_EXAMINED; examined += 1) {
      const earliest = await earliestSend(context, now);
      if (earliest > now) return { kind: 'idle', nextAt: earliest };
      const inBudget = await earliestInBudget(context, now);
      const message = await firstDueMessage(tx, channel, now, { onlyReplies: inBudget > now });
      if (message === null) return { kind: 'idle', nextAt: await nextClaimTime(context, inBudget, now) };
      if (await waitForTemplate(tx, message, now)) continue;
      const composition = await composeMessage(context, message, now);
      if (composition.kind === 'ready') {
        const claim = await beginAttempt(context, message, composition, now);
        unconfirmed.add(claim.attempt);
        return { kind: 'claimed', claim };
      }
      if (composition.kind === 'wait') await delayMessage(tx, message.id, composition.until);
      else await moveMessage(tx, message.id, 'dropped', { now, reason: composition.reason });
    }
    return { kind: 'idle', nextAt: now };
  });
  if (result.kind === 'claimed') unconfirmed.delete(result.claim.attempt);
  return result;
}

/** When to claim next: when a message is due or, past the daily limit, when a reply is due or the day ends. */
async function nextClaimTime(
  { store, provider }: SendContext,
  inBudget: number,
  now: number,
): Promise<number | null> {
  if (inBudget <= now) return nextDueTime(store, provider.channel);
  return Math.min(inBudget, (await nextReplyTime(store, provider.channel)) ?? inBudget);
}

async function beginAttempt(
  context: SendContext,
  message: QueuedMessage,
  { body, told, hasMore }: Extract<Composition, { kind: 'ready' }>,
  now: number,
): Promise<Claim> {
  const { store, provider } = context;
  const { contact, kind } = message;
  const category = await expectedCategory(store, kind);
  const leaseUntil = now + leaseMs(context);
  const { attempt, token } = await claimMessage(store, message.id, { body, told, category, leaseUntil, now });
  if (provider.channel === 'whatsapp') await beginTemplateProbe(store, kind, now);
  await countSent(store, { ...message, started_at: now }, category, 1);
  // Watches whose drops do not fit into this message are due the next day.
  if (hasMore) await queueDrops(store.session, [contact], now);
  const watch = told[0]?.watch ?? message.watch;
  const contactSince = (await contactById(store, contact))?.createdAt ?? 0;
  const about = { contact, contactSince, watch, createdAt: message.created_at };
  // On the other channels, the provider adds the links.
  const hasLink = provider.channel === 'whatsapp' && message.answers_stop === 0;
  const manage = hasLink ? (context.links?.(about).manage ?? null) : null;
  const linked = provider.channel === 'whatsapp' ? renderWhatsApp(body, manage) : body;
  return {
    attempt,
    contact,
    message: { ...about, token, to: await decryptContact(store, contact), body: linked },
  };
}
