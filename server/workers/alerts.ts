import { workerData } from 'node:worker_threads';
import { type AlertService, type AlertServiceOptions, openAlertService } from '../alerts/alert-service.ts';
import type { AlertsWorkerApi } from '../alerts/alerts-in-thread.ts';
import { readCommand } from '../alerts/inbound/reading/read-command.ts';
import { alertClock } from '../environment/clock.ts';
import { openInventoryWriter } from '../ingest/open-inventory-writer.ts';
import { log } from '../lib/log.ts';
import { serveWorker } from '../lib/worker-rpc.ts';

/** By this time, start-up no longer needs the processor. */
const QUIET_MS = 10_000;

let opened: AlertService | null = null;

serveWorker<AlertsWorkerApi>(
  () => {
    opened ??= open();
    return opened;
  },
  () => opened?.stop(),
);

function open(): AlertService {
  const { service, run } = openAlertService(
    workerData as AlertServiceOptions,
    alertClock,
    (line) => log.error(`Price alerts: ${line}`),
    openInventoryWriter,
  );
  run();
  // Compiles the reply rules in advance, because that takes half a second.
  setTimeout(() => readCommand({ text: 'hello there', payload: null }), QUIET_MS).unref();
  return service;
}
