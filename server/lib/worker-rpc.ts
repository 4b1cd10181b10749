import { parentPort, Worker } from 'node:worker_threads';
import { isStoreUnavailable, StoreUnavailable } from './store-unavailable.ts';

interface Question<Q> {
  id: number;
  question: Q;
  /** Milliseconds since 1970. */
  askedAt: number;
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
      running.postMessage({ id, question, askedAt: Date.now() } satisfies Question<Q>);
      return promise;
    },
    async stop() {
      await running?.terminate();
    },
  };
}

/** In the thread itself: answers every question; what `answer` throws is its asker's. */
export function answerQuestions<Q, A>(answer: Answerer<Q, A>): void {
  parentPort?.on('message', ({ id, question, askedAt }: Question<Q>) => {
    void replyTo(id, question, Date.now() - askedAt, answer).then((reply) => parentPort?.postMessage(reply));
  });
}

/** `waited` is how long the question waited for those before it, in milliseconds. */
type Answerer<Q, A> = (question: Q, waited: number) => A | Promise<A>;

/** Whoever has waited longer is told to come again, in milliseconds. */
const LONGEST_WAIT = 10_000;

/**
 * Refuses a question that waited too long for its turn, as where each before it has waited for a lock: the queue
 * would grow for as long as more are asked than are answered.
 */
export function refuseTheLate(waited: number): void {
  if (waited > LONGEST_WAIT) throw new StoreUnavailable();
}

async function replyTo<Q, A>(
  id: number,
  question: Q,
  waited: number,
  answer: Answerer<Q, A>,
): Promise<Answer<A>> {
  try {
    return { id, answer: await answer(question, waited) };
  } catch (error) {
    return { id, failure: String(error), isUnavailable: isStoreUnavailable(error) };
  }
}

/** Of errors only words cross between threads; that the store was not there is known by them again. */
function failureOf({ failure, isUnavailable }: { failure: string; isUnavailable: boolean }): Error {
  const error = new Error(failure);
  return isUnavailable ? new StoreUnavailable({ cause: error }) : error;
}
