import { isOutage } from '../providers/error-action.ts';
import type { MessageProvider, SendOutcome } from '../providers/message-provider.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { attemptFailed } from './attempt-failed.ts';
import { recordReceiver, setAttemptState } from './attempt-state.ts';
import { closeCircuit, recordAnswer, recordUnanswered } from './circuit.ts';
import { releaseTemplate } from './template-holds.ts';

/** Records the outcome of a call. If a webhook has already settled the attempt, its state stays. */
export function settleAttempt(
  store: AlertStore,
  provider: Pick<MessageProvider, 'channel' | 'errorAction'>,
  attempt: number,
  outcome: SendOutcome,
  now: number,
): void {
  const { channel } = provider;
  store.transact(() => {
    const open = store.sql.get`select person from alert_attempt
      where id = ${attempt} and state in ('begun', 'unknown')`;
    const isSilent = outcome.kind === 'unknown' || (outcome.kind === 'rejected' && isOutage(outcome.code));
    if (!isSilent) recordAnswer(store, channel);
    if (outcome.kind === 'accepted') {
      closeCircuit(store, channel, now);
      releaseTemplateOf(store, attempt, now);
      if (outcome.messageId !== null) recordMessageId(store, attempt, outcome.messageId);
      if (outcome.userId !== null) recordReceiver(store, attempt, outcome.userId, now);
    }
    if (open === undefined) return;
    switch (outcome.kind) {
      case 'accepted':
        setAttemptState(store, attempt, outcome.isDelivered ? 'delivered' : 'accepted', null, now);
        break;
      case 'unknown':
        setAttemptState(store, attempt, 'unknown', outcome.why, now);
        recordUnanswered(store, channel, attempt, outcome.why, now);
        break;
      case 'rejected':
        if (isSilent) recordUnanswered(store, channel, attempt, outcome.code, now);
        attemptFailed(store, provider, attempt, { state: 'rejected', ...outcome }, now);
    }
  });
}

/** Marks attempts whose lease has expired as unknown. Their messages may have been sent, so the provider is asked. */
export function expireLeases(store: AlertStore, now: number): void {
  const expired = store.sql.all`select id from alert_attempt where state = 'begun' and lease_until <= ${now}`;
  if (expired.length === 0) return;
  store.transact(() => {
    for (const { id } of expired) setAttemptState(store, Number(id), 'unknown', 'lease expired', now);
  });
}

/** The provider accepts the attempt's template, so the messages that waited for it are due. */
function releaseTemplateOf(store: AlertStore, attempt: number, now: number): void {
  const found = store.sql.get`select kind from alert_message
    where id = (select message from alert_attempt where id = ${attempt}) and form = 'template'`;
  if (found !== undefined) releaseTemplate(store, String(found.kind), now);
}

/** Records the provider's message ID, which its statuses may carry. Only a hash is kept: the ID contains the number. */
export function recordMessageId({ sql, keys }: AlertStore, attempt: number, messageId: string): void {
  const key = keys.keyFor('message', messageId);
  sql.run`update alert_attempt set message_key = ${key}
    where id = ${attempt} and not exists (select 1 from alert_attempt where message_key = ${key})`;
}
