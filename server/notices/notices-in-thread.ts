import { workerPool } from '../lib/worker-rpc.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { NoticeSettings } from './notice-settings.ts';

/** The time between two checks of the conditions. */
const RUN_EVERY_MS = 60_000;

export interface NoticeWorkerData {
  store: StoreAddress;
  settings: NoticeSettings;
  /** The server's name in messages. */
  site: string;
}

export interface NoticeWorkerApi {
  run(): Promise<void>;
}

/** Watches for failures in a worker thread and notifies operators. */
export function noticesInThread(data: NoticeWorkerData, log: (line: string) => void) {
  const file = new URL('../workers/notices.ts', import.meta.url);
  const { api, terminate } = workerPool<NoticeWorkerApi>(file, data, { methods: ['run'] });
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    api
      .run()
      .catch((error: unknown) => log(`Notices could not be checked: ${String(error)}`))
      .finally(() => {
        isRunning = false;
      });
  }, RUN_EVERY_MS);
  timer.unref();
  return {
    async stop(): Promise<void> {
      clearInterval(timer);
      await terminate();
    },
  };
}
