import type { MessageProvider } from './message-provider.ts';
import type { MessageProviderSettings } from './message-provider-settings.ts';
import { birdProvider } from './provider-bird.ts';
import { providerCaller } from './provider-caller.ts';
import { metaProvider } from './provider-meta.ts';
import { twilioProvider } from './provider-twilio.ts';

/** Opens the configured provider. Its calls time out after `timeoutMs`. */
export function openProvider(settings: MessageProviderSettings, timeoutMs: number): MessageProvider {
  switch (settings.kind) {
    case 'local':
      return localProvider();
    case 'meta':
      return metaProvider(settings, providerCaller(timeoutMs));
    case 'twilio':
      return twilioProvider(settings, providerCaller(timeoutMs));
    case 'bird':
      return birdProvider(settings, providerCaller(timeoutMs));
  }
}

/** Sends nothing: messages are read at `/outbox`, and answers there come without a webhook. */
function localProvider(): MessageProvider {
  return {
    name: 'local',
    send: async () => ({ kind: 'accepted', messageId: null, userId: null, isDelivered: true }),
    lookUp: null,
    preview: ({ body }) => body.text,
    readWebhook: () => ({ kind: 'forbidden' }),
    answerChallenge: () => null,
    close: async () => {},
  };
}
