import { errorMessage } from '../../lib/error-message.ts';
import type { LookUpResult } from '../providers/message-provider.ts';
import { decryptContact } from '../tables/contacts.ts';
import { NO_SENDER } from '../tables/sender.ts';
import { attemptFailed } from './attempt-failed.ts';
import { applyDeliveryStatus, recordMessageId } from './attempt-outcome.ts';
import { retryPause } from './retry-pauses.ts';
import type { SendContext } from './send-context.ts';

/** How long after the call a sent message may still be missing from the provider's list. */
const LISTED_AFTER_MS = 150_000;

interface UnknownAttempt {
  id: number;
  contact: number;
  token: string;
  started_at: number;
  lease_until: number;
  asks: number;
}

/** Asks the provider about unknown outcomes, one after the other, if the provider has an API for that. */
export function unknownAsker(context: SendContext, log: (line: string) => void) {
  const { store, provider } = context;
  const stopping = new AbortController();
  let asking: Promise<void> | null = null;

  async function ask(attempt: UnknownAttempt): Promise<void> {
    const message = {
      token: attempt.token,
      number: decryptContact(store, attempt.contact),
      startedAt: attempt.started_at,
      endedAt: attempt.lease_until,
      hasTwin: hasTwin(context, attempt),
      isTaken: (messageId: string) => isTaken(context, attempt.id, messageId),
    };
    const result = await provider.lookUp?.(message, stopping.signal);
    if (result !== undefined && !stopping.signal.aborted) settle(context, attempt, result);
  }

  return {
    get asking(): Promise<void> | null {
      return asking;
    },
    /** Asks about the next outcome that is due, unless a request is in progress. */
    askDue(): void {
      if (provider.lookUp === null || asking !== null || stopping.signal.aborted) return;
      const due = takeDue(context);
      if (due === null) return;
      asking = ask(due)
        .catch((error: unknown) => log(`An unknown outcome could not be settled: ${errorMessage(error)}`))
        .finally(() => {
          asking = null;
        });
    },
    async stop(): Promise<void> {
      stopping.abort();
      await asking;
    },
  };
}

/** Claims an attempt to ask about. Other processes skip it until its next retry is due. */
function takeDue({ store, provider, now }: SendContext): UnknownAttempt | null {
  const at = now();
  const isDue = store.sql
    .get`select 1 from alert_attempt where state = 'unknown' and channel = ${provider.channel} and ask_at <= ${at} limit 1`;
  if (isDue === undefined) return null;
  return store.transact(() => {
    const attempt = store.sql
      .get<UnknownAttempt>`select id, contact, token, started_at, lease_until, asks from alert_attempt
      where state = 'unknown' and channel = ${provider.channel} and ask_at <= ${at} order by ask_at limit 1`;
    if (attempt === undefined) return null;
    const next = at + retryPause('lookUp', attempt.asks + 2);
    store.sql.run`update alert_attempt set ask_at = ${next}, asks = asks + 1 where id = ${attempt.id}`;
    return attempt;
  });
}

/** Two attempts to one number within this time cannot be distinguished by their times. */
const TWIN_MS = 90_000;

function hasTwin({ store }: SendContext, { id, contact, started_at, lease_until }: UnknownAttempt): boolean {
  const twin = store.sql.get`select 1 from alert_attempt
    where contact = ${contact} and id <> ${id} and message_key is null and state in ('begun', 'unknown')
      and started_at between ${started_at - TWIN_MS} and ${lease_until + TWIN_MS} limit 1`;
  return twin !== undefined;
}

function isTaken({ store }: SendContext, attempt: number, messageId: string): boolean {
  const key = store.keys.keyFor('message', messageId);
  return (
    store.sql.get`select 1 from alert_attempt where message_key = ${key} and id <> ${attempt}` !== undefined
  );
}

function settle(
  context: SendContext,
  { id, token, lease_until }: UnknownAttempt,
  result: LookUpResult,
): void {
  const { store, provider } = context;
  const now = context.now();
  store.transact(() => {
    const isUnknown =
      store.sql.get`select 1 from alert_attempt where id = ${id} and state = 'unknown'` !== undefined;
    if (!isUnknown || result.kind === 'unknown') return;
    if (result.kind === 'found') {
      const { messageId, status, code } = result;
      recordMessageId(store, id, messageId);
      applyDeliveryStatus(store, provider, { token, messageId, status, code, receiver: NO_SENDER }, now);
      return;
    }
    if (now - lease_until >= LISTED_AFTER_MS) {
      attemptFailed(store, provider, id, { state: 'rejected', code: 'not sent', retryAfterMs: null }, now);
    }
  });
}
