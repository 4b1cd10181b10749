import type { VapidKeys } from '../keys/vapid-key.ts';
import type { LinkMaker } from '../rendering/message-links.ts';
import type { Channel } from '../tables/stop-scope.ts';
import type { MessageProvider } from './message-provider.ts';
import type { MessageProviderSettings } from './message-provider-settings.ts';
import { birdProvider } from './provider-bird.ts';
import { providerCaller } from './provider-caller.ts';
import { metaProvider } from './provider-meta.ts';
import { smtpProvider } from './provider-smtp.ts';
import { twilioProvider } from './provider-twilio.ts';
import { webPushProvider } from './provider-web-push.ts';

/** Opens the configured provider of WhatsApp messages. Its calls time out after `timeoutMs`. */
export function openProvider(settings: MessageProviderSettings, timeoutMs: number): MessageProvider {
  switch (settings.kind) {
    case 'local':
      return localProvider('whatsapp');
    case 'meta':
      return metaProvider(settings, providerCaller(timeoutMs));
    case 'twilio':
      return twilioProvider(settings, providerCaller(timeoutMs));
    case 'bird':
      return birdProvider(settings, providerCaller(timeoutMs));
  }
}

/** The settings of email; `local`: emails are read at `/outbox` and sent to nobody. */
export type EmailSettings =
  | { kind: 'local' }
  | { kind: 'smtp'; url: string; from: string; timeoutMs: number };

/** What the providers of email and web push write messages with. */
export interface Writing {
  brandName: string;
  links: LinkMaker;
}

export function openEmailProvider(settings: EmailSettings, writing: Writing): MessageProvider {
  if (settings.kind === 'local') return localProvider('email');
  return smtpProvider(settings, { ...writing, caller: providerCaller(settings.timeoutMs) });
}

export function openWebPushProvider(
  vapid: VapidKeys & { subject: string },
  timeoutMs: number,
  writing: Writing,
): MessageProvider {
  return webPushProvider(vapid, { ...writing, caller: providerCaller(timeoutMs) });
}

/** Sends nothing: messages are read at `/outbox`, and answers there come without a webhook. */
function localProvider(channel: Channel): MessageProvider {
  return {
    name: 'local',
    channel,
    send: async () => ({ kind: 'accepted', messageId: null, userId: null, isDelivered: true }),
    lookUp: null,
    preview: ({ body }) => body.text,
    readWebhook: () => ({ kind: 'forbidden' }),
    close: async () => {},
  };
}
