import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { AlertsConfig } from './alerts/alerts-config.ts';
import type { BackgroundJobs } from './background-jobs.ts';
import { closeGracefully } from './http/close-gracefully.ts';
import type { ServerStatus } from './http/health-plugin.ts';
import { endProcess, endsInTime } from './lib/end-in-time.ts';
import { writtenLog } from './lib/log.ts';
import type { Services } from './services.ts';

/**
 * How long a stop waits: for accepted requests, for the alerts after their longest call, for anything else,
 * and for the log. The sum is less than a supervisor waits (docs/operations-reference.md).
 */
const CLOSE_APP_MS = 11_000;
const CLOSE_ALERTS_MS = 11_000;
const CLOSE_MS = 3_000;
const WRITE_LOG_MS = 1_000;

/** Sent by supervisors, by Ctrl-C, and when a terminal closes. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** What a stop ends. `jobs` is null until they have started. */
interface RunningServer {
  app: FastifyInstance;
  services: Services;
  jobs: () => BackgroundJobs | null;
  serverStatus: ServerStatus;
  stopDelayMs: number;
}

/** Ends everything in order on a signal. Logs failures, and does not wait for what hangs. */
export function stopOnSignal({ app, services, jobs, serverStatus, stopDelayMs }: RunningServer): void {
  const closeApp = closeGracefully(app);

  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (serverStatus.isStopping) return;
    serverStatus.isStopping = true;
    app.log.info(`Stopping on ${signal}`);
    // From here on, /readyz reports 503, so that load balancers send visitors elsewhere.
    await sleep(stopDelayMs);
    jobs()?.stopWatching();
    const { alerts, repository } = services;
    const isAppClosed = await ended(CLOSE_APP_MS, closeApp);
    const areThreadsEnded = await Promise.all([
      ...[...(jobs()?.stops ?? []), ...stopsOf(services)].map((end) => ended(CLOSE_MS, end)),
      ended(CLOSE_ALERTS_MS + longestCallMs(alerts.config), alerts.service.stop),
    ]);
    const isStoreClosed = await ended(CLOSE_MS, () => repository.close());
    await endThreads(services);
    const hasEnded = [isAppClosed, ...areThreadsEnded, isStoreClosed].every(Boolean);
    await endsInTime(writtenLog(), WRITE_LOG_MS);
    endProcess(signal, !hasEnded);
  }

  /** Whether a step of the stop ends in time, even if it ends with an error. */
  async function ended(ms: number, step: () => Promise<unknown>): Promise<boolean> {
    return endsInTime(
      step().catch((error: unknown) => app.log.error(error)),
      ms,
    );
  }

  for (const signal of STOP_SIGNALS) process.on(signal, () => void stop(signal));
}

/** Closes the services of a server that never listened. */
export async function closeServices(services: Services): Promise<void> {
  for (const stop of [...stopsOf(services), services.alerts.service.stop]) await stop();
  await services.repository.close();
  await endThreads(services);
}

function stopsOf({ priceAnalyses, visits, facts, admin }: Services): (() => Promise<void>)[] {
  return [priceAnalyses.stop, visits.stop, facts.stop, admin.stop];
}

async function endThreads({ readers, background }: Services): Promise<void> {
  await Promise.all([readers.terminate(), background.terminate()]);
}

/** The longest that a call to a provider may take. */
function longestCallMs({ sending, email }: AlertsConfig): number {
  return Math.max(sending.timeoutMs, email?.kind === 'smtp' ? email.timeoutMs : 0);
}
