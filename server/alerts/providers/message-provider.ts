import type { SettingsReader } from '../../environment/schema.ts';
import type { LinkedMessage } from '../rendering/message-links.ts';
import type { Channel } from '../tables/contacts.ts';
import type { MessageText, TemplateName } from '../tables/messages.ts';
import type { Sender } from '../tables/sender.ts';
import type { ErrorAction } from './error-action.ts';

export interface OutgoingMessage extends LinkedMessage {
  /** Identifies the attempt. The message's statuses carry it. */
  token: string;
  /** A number in canonical form (447 and nine digits), an email address, or a push subscription as JSON. */
  to: string;
  /** A reply is free text, which WhatsApp accepts within a day of the person's message; others are templates. */
  body: MessageText;
}

export type SendOutcome =
  | { kind: 'accepted'; messageId: string | null; userId: string | null; isDelivered: boolean }
  /** Certainly not sent. `retryAfterMs` is the provider's `Retry-After`, or null. `to`: the address, if it may change. */
  | { kind: 'rejected'; code: string; retryAfterMs: number | null; to?: string }
  /** It may or may not have been sent. */
  | { kind: 'unknown'; why: string };

/** The call ended before its request was sent. */
export const NOT_SENT: Extract<SendOutcome, { kind: 'rejected' }> = {
  kind: 'rejected',
  code: 'no connection',
  retryAfterMs: null,
};

export type InboundEvent = Extract<ProviderEvent, { kind: 'message' }>;

/** An event of a provider's webhook. A repeated event has the same `id`. */
export type ProviderEvent =
  | {
      kind: 'message';
      id: string;
      sender: Sender;
      text: string;
      /** The pressed button's payload; null for a typed message. */
      payload: string | null;
      /** When it was sent, in milliseconds since 1970; null if the provider does not say. */
      at: number | null;
    }
  | {
      kind: 'status';
      id: string;
      token: string | null;
      messageId: string;
      status: 'sent' | 'delivered' | 'read' | 'failed';
      code: string | null;
      /** What the provider bills it as, if it says so: utility, marketing, service, free. */
      category?: string | undefined;
      receiver: Sender;
    }
  /** The person has stopped our messages in the provider's settings, without sending a message. */
  | { kind: 'stop'; id: string; sender: Sender; at: number | null }
  /** A person has moved to another number. `to` is the new number, the new user ID, or both. */
  | { kind: 'number changed'; id: string; sender: Sender; to: Sender }
  /** The state of one of our templates has changed. */
  | {
      kind: 'template';
      id: string;
      template: TemplateName;
      state: string;
      reason: string | null;
    }
  /** Something that the operator has to look at, such as a restricted account. */
  | { kind: 'account'; id: string; text: string };

export interface WebhookRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  url: string;
  body: Uint8Array;
}

export interface Webhook<Settings> {
  signatureHeader: string;
  maxBytes: number;
  /** The expected signature of a request; null if it cannot be the provider's. */
  signatureOf(settings: Settings, request: WebhookRequest): string | null;
  /** The response to a provider's verification request; null if the request is not from the provider. */
  challenge?(settings: Settings, query: Readonly<Record<string, unknown>>): string | null;
  /** Parses a signed request; null if unreadable. Never throws, because an error could log a number. */
  read(settings: Settings, request: WebhookRequest): ProviderEvent[] | null;
  answer: { type: string; body: string };
}

export interface ProviderDefinition<Settings> {
  settings: SettingsReader<Settings>;
  /** A sentence for the privacy page that names who transmits the messages. */
  carrier: string;
  webhook: Webhook<Settings> | null;
  open(settings: Settings, timeoutMs: number): MessageProvider;
}

/** A service that delivers the messages of one channel. */
export interface MessageProvider {
  name: string;
  channel: Channel;
  /** The most concurrent calls. Omitted: the default. */
  maxCalls?: number;
  /** Starts the call synchronously, so that nothing runs between the attempt's commit and the call. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome>;
  errorAction(code: string): ErrorAction;
  /** Lists messages from people since a time, oldest first, for providers that do not repeat missed webhooks. */
  listInbound?(since: number, signal: AbortSignal): Promise<InboundEvent[]>;
  close?(): void;
}
