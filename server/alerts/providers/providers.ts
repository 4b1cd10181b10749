import { constantTimeEqual } from '../../lib/constant-time-equal.ts';
import { local } from './local.ts';
import type { ProviderDefinition, WebhookRequest } from './message-provider.ts';
import { meta } from './meta.ts';
import { twilio } from './twilio.ts';

/** The providers of WhatsApp messages, by their value in `ALERT_PROVIDER`. The first is the default. */
export const MESSAGE_PROVIDERS = { local, meta, twilio };

export type MessageProviderKind = keyof typeof MESSAGE_PROVIDERS;

type SettingsOf<Definition> = Definition extends ProviderDefinition<infer Settings> ? Settings : never;

/** The configured provider's settings, as plain values because they are sent to another thread. */
export type MessageProviderSettings = SettingsOf<(typeof MESSAGE_PROVIDERS)[MessageProviderKind]>;

export function definitionOf({ kind }: MessageProviderSettings): ProviderDefinition<MessageProviderSettings> {
  return MESSAGE_PROVIDERS[kind] as ProviderDefinition<MessageProviderSettings>;
}

const READERS = Object.values(MESSAGE_PROVIDERS).map(({ settings }) => settings);
export const MESSAGE_PROVIDER_VARIABLES = READERS.flatMap(({ variables }) => variables);
export const MESSAGE_PROVIDER_SECRETS: ReadonlySet<string> = new Set(
  READERS.flatMap(({ secrets }) => [...secrets]),
);

export function isSignedWebhook(settings: MessageProviderSettings, request: WebhookRequest): boolean {
  const { webhook } = definitionOf(settings);
  const expected = webhook?.signatureOf(settings, request) ?? null;
  if (webhook === null || expected === null) return false;
  return constantTimeEqual(String(request.headers[webhook.signatureHeader] ?? ''), expected);
}
