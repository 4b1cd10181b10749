import pg from 'pg';
import { connectionTo } from './client.ts';

const TIMEOUT_MS = 2_000;

const LOOK_AGAIN_MS = 1_000;

/** Why servers that hang cannot be used, by host and port, for all stores that this thread has open. */
const hanging = new Map<string, unknown>();

/** Why a server cannot be used; undefined if it is not known to hang. */
export function hangOf(url: string): unknown {
  return hanging.get(new URL(url).host);
}

/** Until the server accepts a connection again, nothing waits for it. */
export function markHanging(url: string, failure: unknown): void {
  const { host } = new URL(url);
  if (!hanging.has(host)) lookLater(url, host);
  hanging.set(host, failure);
}

function lookLater(url: string, host: string): void {
  const look = async () => {
    if (await acceptsConnections(url)) hanging.delete(host);
    else lookLater(url, host);
  };
  setTimeout(() => void look(), LOOK_AGAIN_MS).unref();
}

export async function acceptsConnections(url: string): Promise<boolean> {
  const client = new pg.Client({ ...connectionTo(url), connectionTimeoutMillis: TIMEOUT_MS });
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
