import { type Caller, INTERNAL_CALLER } from '../lib/caller.ts';
import { errorMessage } from '../lib/error-message.ts';
import { networkOf } from '../lib/ip-address.ts';
import { isStoreUnavailable } from '../lib/store-unavailable.ts';
import type { WorkQueue, WorkQueueSettings } from '../lib/work-queue/work-queue.ts';
import { MAX_QUEUE_MS, workerProxy } from '../lib/worker-rpc.ts';
import type { AlertService, AlertServiceOptions } from './alert-service.ts';
import { noticeRaiser } from './raise-notices.ts';

export type AlertsWorkerApi = Omit<AlertService, 'stop'>;

const QUEUED = { maxQueueMs: MAX_QUEUE_MS, runsToEnd: true };

/** Whoever signs up or looks is told in time. What stops or changes alerts waits on, and so does what the provider sends. */
const IN_TIME = { ...QUEUED, isGivenUpUnbegun: true };

const METHODS = {
  signUp: IN_TIME,
  viewLink: IN_TIME,
  actOnLink: QUEUED,
  viewOwn: IN_TIME,
  exportOwn: IN_TIME,
  actOnOwn: QUEUED,
  processWebhook: QUEUED,
  readOutbox: QUEUED,
  simulateReply: QUEUED,
  simulateDrop: QUEUED,
  sendNow: QUEUED,
  recordClicks: QUEUED,
  readMetrics: QUEUED,
  readNotices: QUEUED,
};

/**
 * A unit is a call. Some calls wait for the provider, so several run at once; those that only use the store are done one
 * after the other all the same.
 */
const QUEUE: WorkQueueSettings = {
  name: 'price alerts',
  concurrency: 16,
  maxWaiting: 200,
  maxWaitMs: 2_000,
  maxStandingWaitMs: 650,
  maxRunMs: null,
  msPerUnit: 10,
};

/**
 * Deliveries of the provider, which sends again what is refused. They have ten turns for each turn of a visitor's network:
 * a flood of sign-ups from thousands of networks must not delay a STOP. Nor are they refused early in it: the provider sends
 * them again much later.
 */
const PROVIDER: Caller = { network: 'provider', signal: null, weight: 10, isPatient: true };

/** The server's own questions, about notices and metrics, are few and small, and whoever operates it needs them then. */
const SERVER: Caller = { ...INTERNAL_CALLER, weight: 10 };

export interface AlertsInThread {
  service: AlertService;
  queue: WorkQueue | null;
}

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
): Promise<AlertsInThread> {
  const file = new URL('../workers/alerts.ts', import.meta.url);
  const { callsFor, queue, close } = workerProxy<AlertsWorkerApi>(file, options, METHODS, QUEUE);
  const api = callsFor(SERVER, 1);

  const raiseNewNotices = noticeRaiser((after) => api.readNotices(after), raise);
  // A server may start while only replicas of its store are available: it can still answer searches.
  await raiseNewNotices().catch((error: unknown) => {
    if (!isStoreUnavailable(error)) throw error;
    raise(errorMessage(error));
  });
  const polling = setInterval(() => {
    raiseNewNotices().catch((error: unknown) => raise(`The alerts do not respond: ${String(error)}`));
  }, POLL_EVERY_MS);
  polling.unref();
  /** Calls in the turn of the network that they come from. With a signal they leave the queue when it is aborted. */
  const callsFrom = (address: string, signal: AbortSignal | null = null) =>
    callsFor({ network: networkOf(address), signal, isLocal: true }, 1);
  const service: AlertService = {
    ...api,
    signUp: (request) => callsFrom(request.address).signUp(request),
    viewLink: (request, signal) => callsFrom(request.address, signal).viewLink(request),
    actOnLink: (request) => callsFrom(request.address).actOnLink(request),
    viewOwn: (request, signal) => callsFrom(request.address, signal).viewOwn(request),
    exportOwn: (request, signal) => callsFrom(request.address, signal).exportOwn(request),
    actOnOwn: (request) => callsFrom(request.address).actOnOwn(request),
    processWebhook: (request) => callsFor(PROVIDER, 1).processWebhook(request),
    async stop() {
      clearInterval(polling);
      await close();
    },
  };
  return { service, queue };
}
