import { parentPort, workerData } from 'node:worker_threads';
import { askInLoops, type LoadClientSettings, loadClient, type Question } from './load-client.ts';

export interface LoopSettings extends LoadClientSettings {
  server: string;
}

/** A requested loop. The reply has the statuses. */
export interface Loop {
  question: Question;
  ms: number;
}

// In the thread of the measured clients, a loop would delay them.
const { server, ...settings } = workerData as LoopSettings;
const client = loadClient(server, settings);
parentPort?.on('message', ({ question, ms }: Loop) => {
  const looped = askInLoops(client, settings.connections, ms, () => question);
  void looped.then(({ statuses }) => parentPort?.postMessage(statuses));
});
