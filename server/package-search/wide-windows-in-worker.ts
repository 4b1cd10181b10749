import { Worker } from 'node:worker_threads';
import type { FoundPage, PackageQuestion, PackageRepository } from './package-repository.ts';

/** What the thread answers to one question. */
export type WideWindowAnswer = { id: number; found: FoundPage } | { id: number; failure: string };

/** Days of departure times lengths of stay that the calling thread may walk itself: a few milliseconds. */
const NARROW = 7;

/** Lengths of stay that a question without one is taken to have. */
const USUAL_STAYS = 4;

/**
 * The repository, with its wide questions asked in a thread of their own on a connection of its own: the
 * embedded store is synchronous, and a window of months must not hold up everyone's exact dates.
 */
export function wideWindowsInWorker(repository: PackageRepository, dataDir: string): PackageRepository {
  const thread = wideWindowThread(dataDir);
  return {
    ...repository,
    search: (question) => (isWide(question) ? thread.search(question) : repository.search(question)),
    async close() {
      await thread.stop();
      await repository.close();
    },
  };
}

function isWide({ firstDay, lastDay, nights }: PackageQuestion): boolean {
  return (lastDay - firstDay + 1) * (nights === null ? USUAL_STAYS : 1) > NARROW;
}

function wideWindowThread(dataDir: string) {
  const waiting = new Map<number, { resolve(found: FoundPage): void; reject(error: Error): void }>();
  let running: Worker | null = null;
  let lastId = 0;

  function start(): Worker {
    const worker = new Worker(new URL('./wide-window-worker.ts', import.meta.url), { workerData: dataDir });
    worker.on('message', (answer: WideWindowAnswer) => {
      const asker = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (waiting.size === 0) worker.unref();
      if ('found' in answer) asker?.resolve(answer.found);
      else asker?.reject(new Error(answer.failure));
    });
    // A thread that fails takes its questions with it; the next question starts another.
    worker.on('error', (cause) => leave(new Error('The thread for wide windows failed', { cause })));
    worker.on('exit', () => leave(new Error('The thread for wide windows stopped')));
    return worker;
  }

  function leave(error: Error): void {
    running = null;
    for (const asker of waiting.values()) asker.reject(error);
    waiting.clear();
  }

  return {
    search(question: PackageQuestion): Promise<FoundPage> {
      running ??= start();
      const id = ++lastId;
      const { promise, resolve, reject } = Promise.withResolvers<FoundPage>();
      waiting.set(id, { resolve, reject });
      // An idle thread keeps no process alive, one with a question does.
      running.ref();
      running.postMessage({ id, question });
      return promise;
    },
    async stop(): Promise<void> {
      await running?.terminate();
    },
  };
}
