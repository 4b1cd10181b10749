import { parentPort, workerData } from 'node:worker_threads';
import type { LoadClientSettings, Question } from './load-client.ts';
import { loopOverSockets } from './socket-loop.ts';

/** What the thread is started with. */
export interface LoopSettings extends LoadClientSettings {
  server: string;
}

/** A loop that it is asked for. It replies with the tally. */
export interface Loop {
  question: Question;
  ms: number;
}

// A loop of thousands of connections beside the clients that are measured would delay these itself.
const { server, ...settings } = workerData as LoopSettings;
parentPort?.on('message', ({ question, ms }: Loop) => {
  const looping = loopOverSockets(server, settings, question, ms);
  void looping.then((tally) => parentPort?.postMessage(tally));
});
