import { Agent, request } from 'node:http';

export interface LoadRequest {
  /** Null for a GET. */
  body: string | null;
  path: string;
  address: string;
}

/** `status` is 0 if the connection failed. */
interface Result {
  status: number;
  ms: number;
}

/** Latencies in milliseconds: answered of responses with status 200, refused of all other requests. */
interface Tally {
  /** How many responses had each status, such as `20 x 200, 3 x 429`. */
  statuses: string;
  answered: number[];
  refused: number[];
}

export interface LoadClient {
  send(request: LoadRequest): Promise<Result>;
  /** Whether a connection is free for another request. */
  isFree(): boolean;
  close(): void;
}

export interface LoadClientSettings {
  key: string;
  /** The most connections at a time. */
  connections: number;
}

/** Sends requests as a trusted proxy would forward them. */
export function loadClient(server: string, { key, connections }: LoadClientSettings): LoadClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let open = 0;

  async function send({ body, path, address }: LoadRequest): Promise<Result> {
    const from = performance.now();
    const { promise, resolve } = Promise.withResolvers<number>();
    const headers = {
      'x-forwarded-for': address,
      'x-api-key': key,
      'accept-encoding': 'gzip, br, zstd',
      ...(body !== null && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    open += 1;
    const sent = request(server + path, { method: body === null ? 'GET' : 'POST', agent, headers });
    sent.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', () => resolve(0));
    sent.end(body ?? undefined);
    const status = await promise;
    open -= 1;
    return { status, ms: performance.now() - from };
  }
  return { send, isFree: () => open < connections, close: () => agent.destroy() };
}

function tallyOf(results: readonly Result[]): Tally {
  const counts = Map.groupBy(results, ({ status }) => status);
  const msOf = (some: readonly Result[]) => some.map(({ ms }) => ms);
  return {
    statuses: [...counts].map(([status, some]) => `${some.length} x ${status}`).join(', '),
    answered: msOf(results.filter(({ status }) => status === 200)),
    refused: msOf(results.filter(({ status }) => status !== 200)),
  };
}

/** Sends requests in `connections` loops until the time is up. Each loop pauses after a response. */
export async function sendInLoops(
  { send }: LoadClient,
  connections: number,
  ms: number,
  requestOf: (nth: number) => LoadRequest,
  pauseMs = 0,
): Promise<Tally> {
  const results: Result[] = [];
  const until = performance.now() + ms;
  let nth = 0;
  const loop = async () => {
    while (performance.now() < until) {
      nth += 1;
      results.push(await send(requestOf(nth)));
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  return tallyOf(results);
}

/**
 * Sends requests at a steady rate, skipping one if no connection is free. Does not wait for responses until
 * the end.
 */
export async function sendAtRate(
  { send, isFree }: LoadClient,
  perSecond: number,
  ms: number,
  requestOf: (nth: number) => LoadRequest,
): Promise<Tally & { tookMs: number }> {
  const sent: Promise<Result>[] = [];
  const from = performance.now();
  let offered = 0;
  for (let passed = 0; passed < ms; passed = performance.now() - from) {
    for (const due = (passed * perSecond) / 1_000; offered < due; offered += 1) {
      if (isFree()) sent.push(send(requestOf(offered)));
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const results = await Promise.all(sent);
  return { ...tallyOf(results), tookMs: performance.now() - from };
}

export function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
