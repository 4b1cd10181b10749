import type { MessageProvider } from './message-provider.ts';

/** Sends nothing: messages are read at `/outbox`, and answers there come without a webhook. */
export function localProvider(): MessageProvider {
  return {
    name: 'local',
    send: async () => ({ kind: 'accepted', messageId: null, userId: null, isDelivered: true }),
    readWebhook: () => ({ kind: 'forbidden' }),
    answerChallenge: () => null,
    close: async () => {},
  };
}
