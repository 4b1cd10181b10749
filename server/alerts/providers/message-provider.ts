import type { MessageText } from '../records/message-text.ts';
import type { Sender } from '../records/sender.ts';

/** A message as a provider gets it. */
export interface OutgoingMessage {
  /** Names the attempt; comes back with its statuses. */
  token: string;
  /** Canonical: 447 and nine digits. */
  number: string;
  /** Free text is taken only within a day of the person's own last message. */
  form: 'template' | 'text';
  body: MessageText;
}

export type SendOutcome =
  | { kind: 'accepted'; messageId: string | null; userId: string | null; isDelivered: boolean }
  /**
   * Certainly not sent; `code` is the provider's own. `retryAfterMs` is how long it asks us to wait, null where
   * it does not say.
   */
  | { kind: 'rejected'; code: string; retryAfterMs: number | null }
  /** It may or may not have been sent. */
  | { kind: 'unknown'; why: string };

/** What a provider's webhook tells. `id` is the same when it tells it again. */
export type ProviderEvent =
  | { kind: 'message'; id: string; sender: Sender; text: string }
  | {
      kind: 'status';
      id: string;
      token: string | null;
      messageId: string;
      status: 'sent' | 'delivered' | 'read' | 'failed';
      code: string | null;
      receiver: Sender;
    }
  /** A stop that is no message: the provider's own setting. */
  | { kind: 'stop'; id: string; sender: Sender };

export interface WebhookRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Path and query as they were asked. */
  url: string;
  body: Uint8Array;
}

export type WebhookReading =
  | { kind: 'forbidden' }
  /** It is the provider's, and cannot be read: it would be no better the next time. */
  | { kind: 'unreadable' }
  | { kind: 'events'; events: ProviderEvent[] };

/** A service that delivers messages. Each is one file; `openProvider` chooses. */
export interface MessageProvider {
  name: 'local' | 'meta' | 'twilio' | 'bird';
  /** Hands its call over before it returns, so that nothing comes between the attempt's commit and the call. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome>;
  /** Verifies a webhook and reads its events. Never throws: an error could carry a number into a log. */
  readWebhook(request: WebhookRequest): WebhookReading;
  /** The answer to a provider's question whether the webhook's address is ours; null refuses. */
  answerChallenge(query: Readonly<Record<string, unknown>>): string | null;
  /** Cuts the calls that are under way. */
  close(): Promise<void>;
}
