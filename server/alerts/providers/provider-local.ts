import type { MessageProvider } from './message-provider.ts';

/**
 * Delivers to nobody: the outbox itself is where its messages are read (`/outbox`). What is written there in
 * answer comes without a webhook.
 */
export function localProvider(): MessageProvider {
  return {
    name: 'local',
    send: async () => ({ kind: 'accepted', messageId: null, userId: null, isDelivered: true }),
    readWebhook: () => ({ kind: 'forbidden' }),
    answerChallenge: () => null,
    close: async () => {},
  };
}
