import { INTERNAL_CALLER } from '../lib/caller.ts';
import { deadlineIn } from '../lib/deadline.ts';
import { errorMessage } from '../lib/error-message.ts';
import { clientOf } from '../lib/ip-address.ts';
import { isStoreUnavailable } from '../lib/store-unavailable.ts';
import { type WorkQueue, type WorkQueueSettings, workQueue } from '../lib/work-queue.ts';
import type { WorkerThread } from '../lib/worker-rpc.ts';
import type { AlertService } from './alert-service.ts';

export type AlertsWorkerApi = Omit<AlertService, 'stop'>;

const METHODS = [
  'signUp',
  'moveSubscription',
  'viewLink',
  'actOnLink',
  'exportOwn',
  'processWebhook',
  'readOutbox',
  'simulateReply',
  'simulateDrop',
  'sendNow',
  'readMetrics',
  'readNotices',
] as const satisfies (keyof AlertsWorkerApi)[];

/** How long a call waits for the store's lock. Calls that stop or change alerts wait longer. */
const MAX_MS = 2_000;
const MAX_PATIENT_MS = 10_000;

/** Several calls run concurrently, because some wait for the provider. */
const QUEUE: WorkQueueSettings = {
  name: 'price alerts',
  concurrency: 16,
  maxWaiting: 200,
  maxWaitingOfClient: 100,
  maxWaitMs: 2_000,
};

/** Separate, so that sign-ups never delay a STOP. The provider repeats rejected webhooks. */
const WEBHOOKS: WorkQueueSettings = {
  name: 'webhooks',
  concurrency: 16,
  maxWaiting: 200,
  maxWaitingOfClient: 200,
  maxWaitMs: 10_000,
};

export interface AlertsInThread {
  service: AlertService;
  queue: WorkQueue | null;
}

/** How often the worker's notices are read. Each read also restarts a worker that has failed. */
const POLL_EVERY_MS = 5_000;

/**
 * Runs the alerts in a thread. Resolves once it has opened its store; rejects if it cannot. `raise` receives notices to the operator.
 */
export async function alertsIn(thread: WorkerThread, raise: (text: string) => void): Promise<AlertsInThread> {
  const { api, callsFor, queue, close } = thread.part<AlertsWorkerApi>('alerts', {
    methods: METHODS,
    queue: QUEUE,
    runsToEnd: true,
  });

  let lastNotice: number | null = null;
  /** Raises new notices. The first call raises none, because earlier notices were already raised. */
  async function raiseNewNotices(): Promise<void> {
    const notices = await api.readNotices(lastNotice ?? 0);
    for (const { text } of notices) if (lastNotice !== null) raise(text);
    lastNotice = Math.max(lastNotice ?? 0, notices.at(-1)?.id ?? 0);
  }
  // The server starts even if only replicas of its store are available, because it can still run searches.
  await raiseNewNotices().catch((error: unknown) => {
    if (!isStoreUnavailable(error)) throw error;
    raise(errorMessage(error));
  });
  let isReading = false;
  const polling = setInterval(() => {
    if (isReading) return;
    isReading = true;
    raiseNewNotices()
      .catch((error: unknown) => raise(`The alerts thread does not respond: ${String(error)}`))
      .finally(() => {
        isReading = false;
      });
  }, POLL_EVERY_MS);
  polling.unref();
  const webhooks = workQueue(WEBHOOKS);
  const callsFrom = ({ address }: { address: string }, maxMs: number) =>
    callsFor({ ...INTERNAL_CALLER, client: clientOf(address), deadline: deadlineIn(maxMs) });
  const service: AlertService = {
    ...api,
    signUp: (request) => callsFrom(request, MAX_MS).signUp(request),
    moveSubscription: (request) => callsFrom(request, MAX_MS).moveSubscription(request),
    viewLink: (request) => callsFrom(request, MAX_MS).viewLink(request),
    actOnLink: (request) => callsFrom(request, MAX_PATIENT_MS).actOnLink(request),
    exportOwn: (request) => callsFrom(request, MAX_MS).exportOwn(request),
    processWebhook: (request) => webhooks.run(INTERNAL_CALLER, () => api.processWebhook(request)),
    async stop() {
      clearInterval(polling);
      await close();
    },
  };
  return { service, queue };
}
