import * as v from 'valibot';
import { defineSettings, setting } from '../../environment/schema.ts';
import type { Channel } from '../tables/contacts.ts';
import { httpAction } from './error-action.ts';
import type { MessageProvider, ProviderDefinition } from './message-provider.ts';

const settings = defineSettings({
  kind: setting('ALERT_PROVIDER', v.optional(v.literal('local'), 'local')),
});

/** The local outbox: people read messages and reply at `/outbox`, without a webhook. */
export const local: ProviderDefinition<{ kind: 'local' }> = {
  settings,
  carrier:
    'No messaging company is set up on this machine: messages are shown on the machine itself and go to no phone.',
  webhook: null,
  open: () => localProvider('whatsapp'),
};

export function localProvider(channel: Channel): MessageProvider {
  return {
    name: 'local',
    channel,
    send: async () => ({ kind: 'accepted', messageId: null, userId: null, isDelivered: true }),
    errorAction: httpAction,
  };
}
