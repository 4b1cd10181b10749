import { setImmediate as afterReading } from 'node:timers/promises';
import pg from 'pg';
import { connectionTo } from './client.ts';

/** Between two beats, in milliseconds. */
const BEAT_EVERY = 1_000;

/** A server that has not answered a beat by then, in milliseconds, is silent. */
const PATIENCE = 1_500;

/** Shutting down, or starting up: an answer, and nobody to be asked. */
const NOT_SERVING = /^57P0/;

export interface Pulse {
  /** Asks now, or hears the answer that is being waited for. */
  beat(): Promise<boolean>;
  stop(): void;
}

/**
 * Asks a server every second, on a connection of its own, whether it is there, and tells each answer. A server that
 * hangs, or that a network has swallowed, refuses nothing: whoever waited for it would wait as long as a question may
 * take.
 */
export function watchPulse(url: string, tell: (isThere: boolean) => void): Pulse {
  let client: pg.Client | null = null;
  let beating: Promise<boolean> | null = null;
  let isStopped = false;

  function beat(): Promise<boolean> {
    beating ??= withinPatience(answered()).then((isThere) => {
      beating = null;
      if (!isThere) drop();
      if (!isStopped) tell(isThere);
      return isThere;
    });
    return beating;
  }

  async function answered(): Promise<boolean> {
    try {
      await (await connection()).query('select 1');
      return true;
    } catch (error) {
      drop();
      // One that is full has answered too.
      return error instanceof pg.DatabaseError && !NOT_SERVING.test(error.code ?? '');
    }
  }

  async function connection(): Promise<pg.Client> {
    if (client !== null) return client;
    const opened = new pg.Client(connectionTo(url, {}));
    opened.on('error', () => {});
    client = opened;
    await opened.connect();
    return opened;
  }

  /** Without a farewell, which a silent server would not hear. */
  function drop(): void {
    client?.connection.stream.destroy();
    client = null;
  }

  const timer = setInterval(() => void beat(), BEAT_EVERY);
  timer.unref();
  return {
    beat,
    stop() {
      isStopped = true;
      clearInterval(timer);
      drop();
    },
  };
}

async function withinPatience(answer: Promise<boolean>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>();
  // Where this process itself was busy for as long, the answer has come and only has to be read.
  const timer = setTimeout(
    () =>
      void afterReading()
        .then(() => afterReading())
        .then(() => resolve(false)),
    PATIENCE,
  );
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
