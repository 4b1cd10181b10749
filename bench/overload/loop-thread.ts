import { parentPort, workerData } from 'node:worker_threads';
import { type LoadClientSettings, type LoadRequest, loadClient, sendInLoops } from './load-client.ts';

export interface LoopSettings extends LoadClientSettings {
  server: string;
}

/** A loop to run. The reply has its statuses. */
export interface Loop {
  request: LoadRequest;
  ms: number;
}

// In its own thread, because a loop in the measured clients' thread would delay them.
const { server, ...settings } = workerData as LoopSettings;
const client = loadClient(server, settings);
parentPort?.on('message', ({ request, ms }: Loop) => {
  const looped = sendInLoops(client, settings.connections, ms, () => request);
  void looped.then(({ statuses }) => parentPort?.postMessage(statuses));
});
