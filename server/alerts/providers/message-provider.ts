import type { MessageText } from '../records/message-text.ts';
import type { Sender } from '../records/sender.ts';

/** A message to a provider. */
export interface OutgoingMessage {
  /** Identifies the attempt; its statuses carry it. */
  token: string;
  /** Canonical form: 447 and nine digits. */
  number: string;
  /** Free text is accepted only within a day of the person's last message. */
  form: 'template' | 'text';
  body: MessageText;
}

export type SendOutcome =
  | { kind: 'accepted'; messageId: string | null; userId: string | null; isDelivered: boolean }
  /** Certainly not sent. `code` is the provider's; `retryAfterMs` is from its `Retry-After`, or null. */
  | { kind: 'rejected'; code: string; retryAfterMs: number | null }
  /** It may or may not have been sent. */
  | { kind: 'unknown'; why: string };

/** An event of a provider's webhook. A repeated event has the same `id`. */
export type ProviderEvent =
  | {
      kind: 'message';
      id: string;
      sender: Sender;
      text: string;
      /** Of the button that was pressed; null if none was. */
      payload: string | null;
      /** When it was sent, by the provider's clock (ms since 1970); null if the provider does not say. */
      at: number | null;
    }
  | {
      kind: 'status';
      id: string;
      token: string | null;
      messageId: string;
      status: 'sent' | 'delivered' | 'read' | 'failed';
      code: string | null;
      receiver: Sender;
    }
  /** A stop in the provider's own settings, without a message. */
  | { kind: 'stop'; id: string; sender: Sender; at: number | null };

export interface WebhookRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Path and query of the request. */
  url: string;
  body: Uint8Array;
}

export type WebhookReading =
  | { kind: 'forbidden' }
  /** Signed by the provider, but not an update. A retry would not help. */
  | { kind: 'unreadable' }
  | { kind: 'events'; events: ProviderEvent[] };

/** A service that delivers messages. `openProvider` opens the configured one. */
export interface MessageProvider {
  name: 'local' | 'meta' | 'twilio' | 'bird';
  /** Starts the call before it returns, so nothing runs between the attempt's commit and the call. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome>;
  /** Verifies and parses a webhook. Never throws, because an error could carry a number into the log. */
  readWebhook(request: WebhookRequest): WebhookReading;
  /** The response to a provider's verification request, or null to refuse it. */
  answerChallenge(query: Readonly<Record<string, unknown>>): string | null;
  /** Aborts the calls in progress. */
  close(): Promise<void>;
}
