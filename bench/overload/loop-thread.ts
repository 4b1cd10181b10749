import { parentPort, workerData } from 'node:worker_threads';
import { askInLoops, type LoadClientSettings, loadClient, type Question } from './load-client.ts';

/** What the thread is started with. */
export interface LoopSettings extends LoadClientSettings {
  server: string;
}

/** A loop that it is asked for. It replies with the statuses. */
export interface Loop {
  question: Question;
  ms: number;
}

// A loop in the thread of the clients that are measured would delay these itself.
const { server, ...settings } = workerData as LoopSettings;
const client = loadClient(server, settings);
parentPort?.on('message', ({ question, ms }: Loop) => {
  const looped = askInLoops(client, settings.connections, ms, () => question);
  void looped.then(({ statuses }) => parentPort?.postMessage(statuses));
});
