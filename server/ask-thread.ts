import { parentPort, Worker } from 'node:worker_threads';
import { isStoreUnavailable, StoreUnavailable } from './storage/store-unavailable.ts';

interface Question<Q> {
  id: number;
  question: Q;
}

type Answer<A> = { id: number; answer: A } | { id: number; failure: string; isUnavailable: boolean };

/** A thread that is asked questions, started by the first of them. An idle one keeps no process alive. */
export interface AskedThread<Q, A> {
  ask(question: Q): Promise<A>;
  stop(): Promise<void>;
}

/**
 * A thread of `file`, which calls `answerQuestions`. A thread that fails takes its questions with it; the next
 * question starts another. `name` says in errors which thread it was.
 */
export function askThread<Q, A>(name: string, file: URL, workerData: unknown): AskedThread<Q, A> {
  const waiting = new Map<number, { resolve: (answer: A) => void; reject: (error: Error) => void }>();
  let running: Worker | null = null;
  let lastId = 0;

  function start(): Worker {
    const worker = new Worker(file, { workerData });
    worker.on('message', (answer: Answer<A>) => {
      const asker = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (waiting.size === 0) worker.unref();
      if ('answer' in answer) asker?.resolve(answer.answer);
      else asker?.reject(failureOf(answer));
    });
    worker.on('error', (cause) => leave(new Error(`The thread for ${name} failed`, { cause })));
    worker.on('exit', () => leave(new Error(`The thread for ${name} stopped`)));
    return worker;
  }

  function leave(error: Error): void {
    running = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  return {
    ask(question) {
      running ??= start();
      const id = ++lastId;
      const { promise, resolve, reject } = Promise.withResolvers<A>();
      waiting.set(id, { resolve, reject });
      running.ref();
      running.postMessage({ id, question } satisfies Question<Q>);
      return promise;
    },
    async stop() {
      await running?.terminate();
    },
  };
}

/** In the thread itself: answers every question; what `answer` throws is its asker's. */
export function answerQuestions<Q, A>(answer: (question: Q) => A | Promise<A>): void {
  parentPort?.on('message', ({ id, question }: Question<Q>) => {
    void replyTo(id, question, answer).then((reply) => parentPort?.postMessage(reply));
  });
}

async function replyTo<Q, A>(
  id: number,
  question: Q,
  answer: (question: Q) => A | Promise<A>,
): Promise<Answer<A>> {
  try {
    return { id, answer: await answer(question) };
  } catch (error) {
    return { id, failure: String(error), isUnavailable: isStoreUnavailable(error) };
  }
}

/** Of errors only words cross between threads; that the store was not there is known by them again. */
function failureOf({ failure, isUnavailable }: { failure: string; isUnavailable: boolean }): Error {
  const error = new Error(failure);
  return isUnavailable ? new StoreUnavailable({ cause: error }) : error;
}
