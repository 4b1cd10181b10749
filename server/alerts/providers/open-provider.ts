import type { MessageProvider } from './message-provider.ts';
import type { MessageProviderSettings } from './message-provider-settings.ts';
import { birdProvider } from './provider-bird.ts';
import { providerCaller } from './provider-caller.ts';
import { localProvider } from './provider-local.ts';
import { metaProvider } from './provider-meta.ts';
import { twilioProvider } from './provider-twilio.ts';

/** The provider that the settings choose; a call of it is given up after `timeoutMs`. */
export function openProvider(setting: MessageProviderSettings, timeoutMs: number): MessageProvider {
  switch (setting.kind) {
    case 'local':
      return localProvider();
    case 'meta':
      return metaProvider(setting, providerCaller(timeoutMs));
    case 'twilio':
      return twilioProvider(setting, providerCaller(timeoutMs));
    case 'bird':
      return birdProvider(setting, providerCaller(timeoutMs));
  }
}
