import { errorMessage } from '../lib/error-message.ts';
import { isStoreUnavailable } from '../lib/store-unavailable.ts';
import { MAX_QUEUE_MS, workerProxy } from '../lib/worker-rpc.ts';
import type { AlertService, AlertServiceOptions } from './alert-service.ts';

export type AlertsWorkerApi = Omit<AlertService, 'stop'>;

const QUEUED = { maxQueueMs: MAX_QUEUE_MS };
const METHODS = {
  signUp: QUEUED,
  processWebhook: QUEUED,
  answerChallenge: QUEUED,
  readOutbox: QUEUED,
  simulateReply: QUEUED,
  simulateDrop: QUEUED,
  readMetrics: QUEUED,
  readNotices: QUEUED,
};

/** Milliseconds between two polls for notices. A poll also restarts a worker that has failed. */
const POLL_EVERY_MS = 5_000;

/**
 * Runs the alerts in a worker with its own connection: while an import holds the store's lock, sign-ups wait there and
 * searches do not. Resolves once the worker has opened its store; rejects if it cannot. `raise` receives notices to the
 * operator.
 */
export async function alertsInThread(
  options: AlertServiceOptions,
  raise: (text: string) => void,
): Promise<AlertService> {
  const file = new URL('../workers/alerts.ts', import.meta.url);
  const { api, close } = workerProxy<AlertsWorkerApi>(file, options, METHODS);

  /** Null until the store has been read once: existing notices were raised when they were new. */
  let lastNotice: number | null = null;
  async function raiseNewNotices(): Promise<void> {
    const notices = await api.readNotices(lastNotice ?? 0);
    if (lastNotice !== null) for (const { text } of notices) raise(text);
    lastNotice = notices.at(-1)?.id ?? lastNotice ?? 0;
  }
  // A server may start while only replicas of its store are available: it can still answer searches.
  await raiseNewNotices().catch((error: unknown) => {
    if (!isStoreUnavailable(error)) throw error;
    raise(errorMessage(error));
  });
  const polling = setInterval(() => {
    raiseNewNotices().catch((error: unknown) => raise(`The alerts do not respond: ${String(error)}`));
  }, POLL_EVERY_MS);
  polling.unref();
  return {
    ...api,
    async stop() {
      clearInterval(polling);
      await close();
    },
  };
}
