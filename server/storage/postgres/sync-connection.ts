import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import type { SqlInput, SqlValue } from '../sql-database.ts';
import type { ServerSettings } from './client.ts';
import type { LinkOrder } from './sync-worker.ts';

/** What the link's thread is asked: statements with or without values, and the ends of a transaction. */
export type LinkQuestion =
  | { kind: 'statement'; text: string; values: readonly SqlInput[]; isKept: boolean }
  | { kind: 'script'; text: string }
  | { kind: 'begin'; text: string }
  | { kind: 'end'; text: 'commit' | 'rollback' };

export type LinkAnswer =
  | { kind: 'result'; columns: string[]; rows: SqlValue[][]; changes: number }
  /** `code` stands beside the error, which loses it on its way between threads. */
  | { kind: 'failed'; isPassing: boolean; code: string | null; error: unknown };

export interface LinkSetting {
  /** Tried in their order whenever there is no connection. */
  urls: readonly string[];
  settings: ServerSettings;
  /** Whether a statement outside a transaction may simply be asked again elsewhere. */
  isReadOnly: boolean;
}

/** A connection to PostgreSQL that is asked as if it were here: the calling thread waits for the answer. */
export interface PostgresLink {
  ask(question: LinkQuestion): Extract<LinkAnswer, { kind: 'result' }>;
  close(): void;
}

/** The thread that speaks with the servers for all links of this thread: the client does not wait, so we do. */
let speaker: Worker | null = null;

function speakingThread(): Worker {
  if (speaker !== null) return speaker;
  const started = new Worker(new URL('./sync-worker.ts', import.meta.url));
  // It keeps no process alive.
  started.unref();
  started.once('exit', () => {
    speaker = null;
  });
  speaker = started;
  return started;
}

/** Opens a link. The first question connects, and so does the first after a connection was lost. */
export function postgresLink(setting: LinkSetting): PostgresLink {
  const { port1: ours, port2: theirs } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  speakingThread().postMessage({ setting, port: theirs, signal } satisfies LinkOrder, [theirs]);
  ours.unref();
  return {
    ask(question) {
      ours.postMessage(question);
      const answer = nextAnswer(ours, signal);
      if (answer.kind === 'result') return answer;
      const { error, code } = answer;
      const cause = error instanceof Error && code !== null ? Object.assign(error, { code }) : error;
      if (answer.isPassing) throw new StoreUnavailable({ cause });
      throw new Error('The store refused a statement', { cause });
    },
    close: () => ours.close(),
  };
}

/**
 * Waits for an answer. A call that is raised with one may come late and end the wait for the next, which is not there
 * yet: taken for an answer it would put every later one a question behind.
 */
export function nextAnswer(port: MessagePort, signal: Int32Array): LinkAnswer {
  for (;;) {
    const before = Atomics.load(signal, 0);
    const received = receiveMessageOnPort(port);
    if (received !== undefined) return received.message as LinkAnswer;
    Atomics.wait(signal, 0, before);
  }
}
