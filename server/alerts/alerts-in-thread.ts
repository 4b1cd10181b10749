import { errorWords } from '../lib/error-message.ts';
import { isStoreUnavailable } from '../lib/store-unavailable.ts';
import { askThread } from '../lib/worker-rpc.ts';
import type { AlertService, AlertServiceOptions } from './alert-service.ts';
import type { WebhookRequest } from './providers/message-provider.ts';

/** A call of an `AlertService` method, sent to the thread of the alerts. */
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

/** How often notices are polled, in milliseconds. Polling also restarts a thread that has failed. */
const POLL_EVERY_MS = 5_000;

/**
 * Runs the alerts in a separate thread with its own connection. While an import holds the store, sign-ups wait there
 * and searches do not. Resolves when the thread has opened its store, or when a PostgreSQL cannot be reached yet.
 * `raise` gets notices for the operator.
 */
export async function alertsInThread(
  options: AlertServiceOptions,
  raise: (text: string) => void,
): Promise<AlertService> {
  const thread = askThread<AlertQuestion, unknown>(
    'alerts',
    new URL('../workers/alerts.ts', import.meta.url),
    options,
  );
  // The thread answers with the result of the service's method.
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
      clearInterval(polling);
      await ask({ kind: 'stop' }).catch(() => {});
      await thread.stop();
    },
  };

  /** Null until the store has been read once: notices from before this start are not raised again. */
  let lastNotice: number | null = null;
  async function pollNotices(): Promise<void> {
    const notices = await service.readNotices(lastNotice ?? 0);
    if (lastNotice !== null) for (const { text } of notices) raise(text);
    lastNotice = notices.at(-1)?.id ?? lastNotice ?? 0;
  }
  // A server starts while only replicas are reachable, because it can serve searches.
  await pollNotices().catch((error: unknown) => {
    if (!isStoreUnavailable(error)) throw error;
    raise(errorWords(error));
  });
  const polling = setInterval(() => {
    pollNotices().catch((error: unknown) => raise(`The alerts do not respond: ${String(error)}`));
  }, POLL_EVERY_MS);
  polling.unref();
  return service;
}
