import type { MessageProviderKind } from './message-provider-settings.ts';

interface WebhookLimits {
  /** The header without which a webhook cannot come from the provider. */
  signatureHeader: string;
  mostBytes: number;
}

/** One event, with a long message. */
const ONE_EVENT = 64 * 1024;

/** What may be read of a provider's webhook before its signature is checked. Null: the provider has no webhook. */
export const WEBHOOKS: Readonly<Record<MessageProviderKind, WebhookLimits | null>> = {
  local: null,
  // Up to a thousand updates, in 3 MB by Meta's documentation.
  meta: { signatureHeader: 'x-hub-signature-256', mostBytes: 3 * 1024 * 1024 },
  twilio: { signatureHeader: 'x-twilio-signature', mostBytes: ONE_EVENT },
  bird: { signatureHeader: 'messagebird-signature', mostBytes: 2 * ONE_EVENT },
};
