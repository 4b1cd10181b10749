import type { WorkerThread } from '../lib/worker-rpc.ts';

/** The time between two checks of the conditions. */
const RUN_EVERY_MS = 60_000;

export interface NoticeWorkerApi {
  run(): Promise<void>;
}

/** Watches for failures in a thread, and notifies operators. */
export function noticesIn(thread: WorkerThread, log: (line: string) => void) {
  const { api, close } = thread.part<NoticeWorkerApi>('notices', { methods: ['run'] });
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
      await close();
    },
  };
}
