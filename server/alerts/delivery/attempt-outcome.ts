import { installedCommand } from '../../lib/installed-command.ts';
import { isOutage } from '../providers/error-action.ts';
import type { MessageProvider, ProviderEvent, SendOutcome } from '../providers/message-provider.ts';
import type { AlertSession, AlertStore } from '../tables/alert-store.ts';
import { type Channel, contactById, decryptContact, eraseAt, recordUserId } from '../tables/contacts.ts';
import {
  countRetry,
  delayMessage,
  dropQueuedMessages,
  type MessageKind,
  type MessageState,
  messageOfAttempt,
  moveMessage,
  recordCategory,
  recordMessageId,
  recordRefusal,
  requeueMessage,
} from '../tables/messages.ts';
import { raiseNotice } from '../tables/notices.ts';
import { stopContact } from '../tables/stops.ts';
import { endWatches } from '../tables/watches.ts';
import {
  HELD,
  holdTemplate,
  pauseChannel,
  recordAccepted,
  recordAnswer,
  recordUnanswered,
  releaseTemplate,
} from './pauses.ts';
import { countSent } from './sending-limits.ts';

interface AttemptedMessage {
  id: number;
  contact: number;
  kind: MessageKind;
  channel: Channel;
  state: MessageState;
  refused: 'rejected' | 'failed' | null;
  tries: number;
  started_at: number;
  category: string;
}

async function messageBy({ sql }: AlertSession, id: number | null): Promise<AttemptedMessage | undefined> {
  return sql.get<AttemptedMessage>`select id, contact, kind, channel, state, refused, tries, started_at,
      category from alert_message where id = ${id}`;
}

/** Records the outcome of a call. If a webhook has already settled the attempt, its state stays. */
export async function settleAttempt(
  store: AlertStore,
  provider: Pick<MessageProvider, 'channel' | 'errorAction'>,
  attempt: number,
  outcome: SendOutcome,
  now: number,
): Promise<void> {
  const { channel } = provider;
  await store.transact(async (tx) => {
    const message = await messageBy(tx, await messageOfAttempt(tx, attempt));
    const isSilent = outcome.kind === 'unknown' || (outcome.kind === 'rejected' && isOutage(outcome.code));
    if (!isSilent) await recordAnswer(tx, channel, attempt);
    if (outcome.kind === 'accepted') await recordAccepted(tx, channel, now);
    if (message === undefined) return;
    const isOpen = message.state === 'sending' || message.state === 'unknown';
    switch (outcome.kind) {
      case 'accepted':
        if (channel === 'whatsapp') await releaseTemplate(tx, message.kind, now);
        if (outcome.messageId !== null) await recordMessageId(tx, message.id, outcome.messageId);
        if (outcome.userId !== null) await recordReceiver(tx, message.contact, outcome.userId, now);
        if (isOpen)
          await moveMessage(tx, message.id, outcome.isDelivered ? 'delivered' : 'accepted', { now });
        break;
      case 'unknown':
        if (!isOpen) return;
        await moveMessage(tx, message.id, 'unknown', { now, reason: outcome.why });
        await recordUnanswered(tx, channel, attempt, outcome.why, now);
        break;
      case 'rejected':
        if (!isOpen) return;
        if (isSilent) await recordUnanswered(tx, channel, attempt, outcome.code, now);
        await countSent(tx, message, message.category, -1);
        await refuse(tx, provider, message, { how: 'rejected', ...outcome }, now);
    }
  });
}

/**
 * Applies a delivery status, inside the caller's transaction. Statuses may arrive out of order, and a message
 * only moves forward. A status of an older attempt only takes the message out of the queue.
 */
export async function applyDeliveryStatus(
  store: AlertSession,
  provider: Pick<MessageProvider, 'errorAction'>,
  status: Omit<Extract<ProviderEvent, { kind: 'status' }>, 'kind' | 'id'>,
  now: number,
): Promise<void> {
  const { sql, keys } = store;
  const key = keys.keyFor('message', status.messageId);
  const [uid = ''] = (status.token ?? '').split('.');
  const latest =
    (await sql.get<{ id: number }>`select id from alert_message where token = ${status.token}`) ??
    (await sql.get<{ id: number }>`select id from alert_message where message_key = ${key}`);
  const found = latest ?? (await sql.get<{ id: number }>`select id from alert_message where uid = ${uid}`);
  const message = await messageBy(store, found?.id ?? null);
  if (message === undefined) return;
  const { id, state, refused } = message;
  if (status.receiver.userId !== null)
    await recordReceiver(store, message.contact, status.receiver.userId, now);
  const reached = status.status === 'sent' ? 'accepted' : status.status;
  if (latest === undefined) {
    if (state === 'queued' && (reached === 'delivered' || reached === 'read'))
      await moveMessage(store, id, reached, { now });
    return;
  }
  await recordMessageId(store, id, status.messageId);
  if (status.category !== undefined) {
    const assumed = await recordCategory(store, id, status.category);
    if (assumed !== null) {
      await countSent(store, message, message.category, -1);
      await countSent(store, message, status.category, 1);
    }
  }
  // If a status has said that it failed, an earlier 'sent' that arrives later says nothing new.
  if (reached === 'accepted' && refused === 'failed') return;
  if (reached !== 'failed') await moveMessage(store, id, reached, { now });
  else if (state === 'sending' || state === 'unknown' || state === 'accepted')
    await refuse(
      store,
      provider,
      message,
      { how: 'failed', code: status.code ?? 'no code', retryAfterMs: null },
      now,
    );
}

/** Records the user ID of the recipient. If that user ID has stopped, stops the number too. */
async function recordReceiver(store: AlertSession, id: number, userId: string, now: number): Promise<void> {
  const contact = await contactById(store, id);
  if (contact === null) return;
  await recordUserId(store, contact, userId);
  const key = store.keys.keyFor('user', userId);
  const at = (await store.sql.get`select at from alert_suppression where key = ${key}`)?.at;
  if (typeof at === 'number')
    await stopContact(store, contact, { at, now, sender: { number: null, userId } });
}

const A_SECOND_MS = 1_000;
const A_MINUTE_MS = 60 * A_SECOND_MS;
const AN_HOUR_MS = 60 * A_MINUTE_MS;

/** Delays before a retry. The last one repeats until the message is out of date. */
const RETRIES = {
  soon: [0.5, 1, 2, 4, 8, 15].map((minutes) => minutes * A_MINUTE_MS),
  later: [1, 6, 24, 48].map((hours) => hours * AN_HOUR_MS),
} as const;

/** How long the page behind an ended subscription's links still says that it has ended. */
const KEPT_AFTER_END_MS = 24 * AN_HOUR_MS;

type Refusal = Omit<Extract<SendOutcome, { kind: 'rejected' }>, 'kind'> & { how: 'rejected' | 'failed' };

/** Acts on the provider's code for a message that was not delivered. */
async function refuse(
  store: AlertSession,
  provider: Pick<MessageProvider, 'errorAction'>,
  { id, contact, kind, channel, tries }: AttemptedMessage,
  { how, code, retryAfterMs, to }: Refusal,
  now: number,
): Promise<void> {
  await recordRefusal(store, id, how);
  const raise = (text: string) => raiseNotice(store, 'template', text, now);
  const fail = async (): Promise<void> => {
    await moveMessage(store, id, 'failed', { now, reason: code });
  };
  const retryIn = (ms: number) => requeueMessage(store, id, now + Math.max(ms, retryAfterMs ?? 0), now);
  /** Retries after the delay for this many failures of the kind in a row, with up to a quarter of jitter. */
  async function retry(as: 'soon' | 'later'): Promise<void> {
    const times = await countRetry(store, id, as);
    const pause = RETRIES[as][Math.min(times, RETRIES[as].length) - 1] ?? 0;
    await retryIn(Math.round(pause * (1 + Math.random() / 4)));
  }
  const action = provider.errorAction(code);
  switch (action) {
    case 'final':
      return fail();
    case 'final, raise':
      await raise(
        `The provider rejected a message permanently: ${code}. Find the cause, then run \`${installedCommand('alerts', `send-again --all --error '${code}'`)}\`.`,
      );
      return fail();
    case 'later, raise':
      await raise(
        `The provider rejected a message: ${code}. Skylark will retry it. If all messages fail, check the key of its channel.`,
      );
      return retry('later');
    case 'soon':
    case 'later':
      return retry(action);
    case 'hold template': {
      const until = await holdTemplate(store, kind, code, now);
      await requeueMessage(store, id, until, now);
      // Last, so that the next test uses another message.
      await delayMessage(store, id, until + A_SECOND_MS, HELD);
      break;
    }
    case 'stop': {
      await fail();
      const stopped = await contactById(store, contact);
      if (stopped !== null) await stopContact(store, stopped, { at: now, now });
      break;
    }
    case 'gone':
      // The browser has moved to another subscription during the call.
      if (to !== undefined && to !== (await decryptContact(store, contact))) return retry('soon');
      await fail();
      await endWatches(store, contact, now);
      await dropQueuedMessages(store, contact, 'the address no longer exists', now);
      // An ended subscription never works again. To get alerts, its browser has to sign up again.
      if (channel === 'push') await eraseAt(store, contact, now + KEPT_AFTER_END_MS);
      break;
    case 'slow down':
      await pauseChannel(store, channel, 'slow down', code, now, retryAfterMs ?? 0);
      return retryIn(A_SECOND_MS * 2 ** Math.min(tries, 12));
    case 'slow down to this number': {
      const ms = Math.max(retryAfterMs ?? 0, 6 * A_SECOND_MS * 2 ** Math.min(tries, 8));
      await store.sql.run`update alert_contact set not_before = ${now + ms} where id = ${contact}`;
      return retryIn(ms);
    }
    case 'pause':
    case 'open circuit':
      await pauseChannel(store, channel, action === 'pause' ? 'pause' : 'account', code, now);
      return requeueMessage(store, id, now, now);
  }
}
