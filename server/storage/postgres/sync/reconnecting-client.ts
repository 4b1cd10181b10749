import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connectionTo, dropClient, openClient } from '../client.ts';
import type { SyncConnectionOptions } from './protocol.ts';

const PROBE_INTERVAL_MS = 2_000;

const PROBE_TIMEOUT_MS = 2_000;

/**
 * How long a request waits for a connection if the last attempt failed. The attempt continues in the
 * background, so that not every request waits for the full timeout.
 */
const RECONNECT_WAIT_MS = 200;

/** The URLs that failed at the last attempt, for all sessions of this thread. */
const unreachable = new Set<string>();

/** A connection to the first server that responds. */
export interface ReconnectingClient {
  /** Returns the open connection, or opens one. */
  connect(): Promise<pg.Client>;
  disconnect(): void;
  /** Checks that the server still accepts connections, until the returned function is called. */
  probeWhileWaiting(client: pg.Client): () => void;
}

/** Calls `onDisconnect` whenever the connection is closed or lost. */
export function reconnectingClient(
  { urls: addresses, settings }: Pick<SyncConnectionOptions, 'urls' | 'settings'>,
  onDisconnect: () => void,
): ReconnectingClient {
  let connected: Promise<pg.Client> | null = null;
  /** In the order in which they are tried. A URL that failed moves to the end. */
  let urls = addresses;
  const urlOf = new WeakMap<pg.Client, string>();

  /** The connection, or the running attempt to open it. */
  function connection(): Promise<pg.Client> {
    if (connected !== null) return connected;
    const opening = open();
    connected = opening;
    opening.catch(() => {
      if (connected === opening) connected = null;
    });
    return opening;
  }

  async function open(): Promise<pg.Client> {
    let failure: unknown = new Error('There is no address to connect to');
    for (const url of urls) {
      try {
        const client = await openClient(url, settings);
        urlOf.set(client, url);
        client.on('error', () => disconnectIfCurrent(client));
        client.on('end', () => disconnectIfCurrent(client));
        unreachable.delete(url);
        return client;
      } catch (error) {
        failure = error;
        markUnreachable(url);
      }
    }
    throw failure;
  }

  function disconnectIfCurrent(client: pg.Client): void {
    void connected?.then(
      (current) => current === client && disconnect(),
      () => {},
    );
  }

  function disconnect(): void {
    if (connected !== null) endWhenOpen(connected);
    connected = null;
    onDisconnect();
  }

  function markUnreachable(url: string): void {
    unreachable.add(url);
    urls = [...urls.filter((other) => other !== url), url];
  }

  /** Drops the connection if the server accepts no new ones, because a response would never come. */
  async function probe(waiting: pg.Client): Promise<void> {
    const url = urlOf.get(waiting);
    if (url === undefined || (await acceptsConnections(url))) return;
    markUnreachable(url);
    dropClient(waiting);
  }

  return {
    connect() {
      const opening = connection();
      return urls.every((url) => unreachable.has(url)) ? withinReconnectWait(opening) : opening;
    },
    disconnect,
    probeWhileWaiting(client) {
      const timer = setInterval(() => void probe(client), PROBE_INTERVAL_MS);
      return () => clearInterval(timer);
    },
  };
}

function endWhenOpen(opening: Promise<pg.Client>): void {
  void opening.then(
    (client) => client.end().catch(() => {}),
    () => {},
  );
}

async function acceptsConnections(url: string): Promise<boolean> {
  const client = new pg.Client({ ...connectionTo(url), connectionTimeoutMillis: PROBE_TIMEOUT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    // A server that is full or shutting down still responds.
    return error instanceof pg.DatabaseError;
  } finally {
    void client.end().catch(() => {});
  }
}

async function withinReconnectWait<T>(promise: Promise<T>): Promise<T> {
  const timeout = sleep(RECONNECT_WAIT_MS, null, { ref: false }).then(() => {
    throw new Error('Connection timeout: the server could not be reached');
  });
  timeout.catch(() => {});
  return Promise.race([promise, timeout]);
}
