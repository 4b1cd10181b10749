import { errorWords } from '../lib/error-message.ts';
import { isStoreUnavailable } from '../lib/store-unavailable.ts';
import { askThread } from '../lib/worker-rpc.ts';
import type { AlertService, AlertServiceOptions } from './alert-service.ts';
import type { WebhookRequest } from './providers/message-provider.ts';

/** What the thread of the alerts is asked: a call of `AlertService`. */
export type AlertQuestion =
  | { kind: 'signUp'; request: { body: unknown; address: string } }
  | { kind: 'processWebhook'; request: WebhookRequest }
  | { kind: 'answerChallenge'; query: Readonly<Record<string, unknown>> }
  | { kind: 'readOutbox' }
  | { kind: 'simulateReply'; person: number; text: string }
  | { kind: 'simulateDrop'; watch: number }
  | { kind: 'readMetrics' }
  | { kind: 'readNotices'; after: number }
  | { kind: 'stop' };

/** Between two questions after notices, which also start the thread again if it failed, in milliseconds. */
const ASK_EVERY_MS = 5_000;

/**
 * The alerts in a thread of their own, on a connection of its own: while an import holds the store, a sign-up
 * waits for it there, and nobody's search does. Resolves when the thread has opened its store; rejects when it
 * cannot. `raise` hears what an operator has to know.
 */
export async function alertsInThread(
  setting: AlertServiceOptions,
  raise: (text: string) => void,
): Promise<AlertService> {
  const thread = askThread<AlertQuestion, unknown>(
    'alerts',
    new URL('../workers/alerts.ts', import.meta.url),
    setting,
  );
  // The thread answers each question with what that call of the service gives.
  const ask = async <T>(question: AlertQuestion) => (await thread.ask(question)) as T;
  const service: AlertService = {
    signUp: (request) => ask({ kind: 'signUp', request }),
    processWebhook: (request) => ask({ kind: 'processWebhook', request }),
    answerChallenge: (query) => ask({ kind: 'answerChallenge', query }),
    readOutbox: () => ask({ kind: 'readOutbox' }),
    simulateReply: (person, text) => ask({ kind: 'simulateReply', person, text }),
    simulateDrop: (watch) => ask({ kind: 'simulateDrop', watch }),
    readMetrics: () => ask({ kind: 'readMetrics' }),
    readNotices: (after) => ask({ kind: 'readNotices', after }),
    async stop() {
      clearInterval(asking);
      await ask({ kind: 'stop' }).catch(() => {});
      await thread.stop();
    },
  };

  /** Null until the store has been read once: what stands there already was raised when it was new. */
  let lastNotice: number | null = null;
  async function lookForNotices(): Promise<void> {
    const notices = await service.readNotices(lastNotice ?? 0);
    if (lastNotice !== null) for (const { text } of notices) raise(text);
    lastNotice = notices.at(-1)?.id ?? lastNotice ?? 0;
  }
  // A server may start while only replicas of its store are there: its searches can be answered.
  await lookForNotices().catch((error: unknown) => {
    if (!isStoreUnavailable(error)) throw error;
    raise(errorWords(error));
  });
  const asking = setInterval(() => {
    lookForNotices().catch((error: unknown) => raise(`The alerts do not answer: ${String(error)}`));
  }, ASK_EVERY_MS);
  asking.unref();
  return service;
}
