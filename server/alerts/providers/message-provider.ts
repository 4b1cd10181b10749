import type { SettingsReader } from '../../environment/schema.ts';
import type { Channel } from '../tables/contacts.ts';
import type { MessageText } from '../tables/messages.ts';
import type { Sender } from '../tables/sender.ts';
import type { ErrorAction } from './error-action.ts';

export interface OutgoingMessage {
  /** Identifies the attempt. The message's statuses carry it. */
  token: string;
  /** A number in canonical form (447 and nine digits), an email address, or a push subscription as JSON. */
  to: string;
  contact: number;
  /** When the person was added. Instants are milliseconds since 1970. */
  contactSince: number;
  watch: number | null;
  createdAt: number;
  /** WhatsApp accepts free text only within a day of the person's last message. */
  form: 'template' | 'text';
  body: MessageText;
}

export type SendOutcome =
  | { kind: 'accepted'; messageId: string | null; userId: string | null; isDelivered: boolean }
  /** Certainly not sent. `retryAfterMs` is the provider's `Retry-After`, or null. */
  | { kind: 'rejected'; code: string; retryAfterMs: number | null }
  /** It may or may not have been sent. */
  | { kind: 'unknown'; why: string };

/** The call ended before its request was sent. */
export const NOT_SENT: Extract<SendOutcome, { kind: 'rejected' }> = {
  kind: 'rejected',
  code: 'no connection',
  retryAfterMs: null,
};

/** The provider's record of a message with an unknown outcome. */
export type LookUpResult =
  | {
      kind: 'found';
      messageId: string;
      status: 'sent' | 'delivered' | 'read' | 'failed';
      code: string | null;
    }
  | { kind: 'not found' }
  /** The provider did not respond, or several messages match. */
  | { kind: 'unknown'; why: string };

/** A message to look up. Instants are milliseconds since 1970. */
export interface LookUp {
  token: string;
  number: string;
  startedAt: number;
  /** The latest time at which the call can have ended. */
  endedAt: number;
  /** Whether another attempt to this number at about this time has no message ID either. */
  hasTwin: boolean;
  /** Whether the provider's message ID belongs to another attempt. */
  isTaken(messageId: string): boolean;
}

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
      receiver: Sender;
    }
  /** The person has stopped our messages in the provider's settings, without sending a message. */
  | { kind: 'stop'; id: string; sender: Sender; at: number | null }
  /** A person has moved to another number. `to` is the new number, the new user ID, or both. */
  | { kind: 'number changed'; id: string; sender: Sender; to: Sender }
  /** The state of a template has changed. `name` is the provider's name for it, `template` is ours or null. */
  | {
      kind: 'template';
      id: string;
      name: string;
      template: MessageText['template'] | null;
      state: string;
      reason: string | null;
    }
  | { kind: 'quality'; id: string; subject: string; state: string };

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
  /** Asks about a message with an unknown outcome. Null: the provider has no such API. */
  lookUp: ((message: LookUp, signal: AbortSignal) => Promise<LookUpResult>) | null;
  preview(message: OutgoingMessage): string;
  close(): Promise<void>;
}
