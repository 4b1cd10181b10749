import { setImmediate as afterReading } from 'node:timers/promises';
import pg from 'pg';
import { connectionTo, SettledClient } from './client.ts';

/** Between two heartbeats, in milliseconds. */
const INTERVAL = 1_000;

/** A server that has not responded by then, in milliseconds, is silent. */
const TIMEOUT = 1_500;

/** Shutting down or starting up: the server responds, but accepts no queries. */
const NOT_SERVING = /^57P0/;

export interface Heartbeat {
  stop(): void;
}

/**
 * Sends a heartbeat to a server every second, on a separate connection, and reports each result. A server that hangs,
 * or that the network has lost, does not refuse connections: without heartbeats every query would run into its timeout.
 */
export function watchHeartbeat(url: string, report: (isResponding: boolean) => void): Heartbeat {
  let client: pg.Client | null = null;
  let isBeating = false;
  let isStopped = false;

  async function beat(): Promise<void> {
    if (isBeating) return;
    isBeating = true;
    const result = await withinTimeout(isResponding());
    isBeating = false;
    if (!result) drop();
    if (!isStopped) report(result);
  }

  async function isResponding(): Promise<boolean> {
    try {
      await (await connection()).query('select 1');
      return true;
    } catch (error) {
      drop();
      // A server with no free connection has responded.
      return error instanceof pg.DatabaseError && !NOT_SERVING.test(error.code ?? '');
    }
  }

  async function connection(): Promise<pg.Client> {
    if (client !== null) return client;
    const opened = new SettledClient(connectionTo(url, {}));
    opened.on('error', () => {});
    client = opened;
    await opened.connect();
    return opened;
  }

  /** Without a terminate message, which a silent server would not read. */
  function drop(): void {
    client?.connection.stream.destroy();
    client = null;
  }

  const timer = setInterval(() => void beat(), INTERVAL);
  timer.unref();
  return {
    stop() {
      isStopped = true;
      clearInterval(timer);
      drop();
    },
  };
}

async function withinTimeout(response: Promise<boolean>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>();
  // If this process itself was busy until now, the response has arrived and only has to be read.
  const timer = setTimeout(
    () =>
      void afterReading()
        .then(() => afterReading())
        .then(() => resolve(false)),
    TIMEOUT,
  );
  try {
    return await Promise.race([response, promise]);
  } finally {
    clearTimeout(timer);
  }
}
