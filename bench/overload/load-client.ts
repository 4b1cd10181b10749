import { Agent, request } from 'node:http';

/** A request from an address. */
export interface Question {
  /** Omitted: POST. */
  method?: 'GET' | 'OPTIONS';
  path: string;
  body: string;
  address: string;
}

export interface Result {
  /** 0: the connection failed. */
  status: number;
  ms: number;
}

/** Counts by status, and times. */
export interface Tally {
  statuses: Record<number, number>;
  /** Milliseconds of answers with 200, and of refusals with 400, 429 or 503. */
  answered: number[];
  refused: number[];
}

export interface LoadClient {
  ask(question: Question): Promise<Result>;
  /** Whether a question asked now has a connection of its own at once. */
  isFree(): boolean;
  close(): void;
}

export interface LoadClientSettings {
  key: string;
  /** Open at once. */
  connections: number;
  /** Whether addresses are sent as a trusted proxy sends them; otherwise everyone asks from this machine. */
  isForwarded: boolean;
  /** Whether each request opens a connection of its own. Omitted: connections are kept. */
  isFresh?: boolean;
}

/** What a browser asks before it posts to another origin. */
const PREFLIGHT = {
  origin: 'https://www.example.com',
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'content-type',
};

/** The headers of a request, but for the host. */
export function headersOf(
  question: Question,
  { key, isForwarded }: Pick<LoadClientSettings, 'key' | 'isForwarded'>,
): Record<string, string> {
  const { method = 'POST', body, address } = question;
  return {
    ...(method === 'POST'
      ? { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
      : {}),
    ...(method === 'OPTIONS' ? PREFLIGHT : {}),
    'x-api-key': key,
    'accept-encoding': 'gzip, br, zstd',
    ...(isForwarded ? { 'x-forwarded-for': address } : {}),
  };
}

export function loadClient(server: string, settings: LoadClientSettings): LoadClient {
  const { connections, isFresh = false } = settings;
  const agent = new Agent({ keepAlive: !isFresh, maxSockets: connections });
  let open = 0;
  return {
    ask: (question) =>
      new Promise((resolveResult) => {
        const { method = 'POST', path, body } = question;
        const from = performance.now();
        open += 1;
        const resolve = (result: Result) => {
          open -= 1;
          resolveResult(result);
        };
        const headers = headersOf(question, settings);
        const asked = request(server + path, { method, agent, headers }, (response) => {
          response.resume();
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, ms: performance.now() - from }),
          );
        });
        asked.on('error', () => resolve({ status: 0, ms: performance.now() - from }));
        asked.end(body);
      }),
    isFree: () => open < connections,
    close: () => agent.destroy(),
  };
}

export function emptyTally(): Tally {
  return { statuses: {}, answered: [], refused: [] };
}

export function count(tally: Tally, { status, ms }: Result): void {
  tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
  if (status === 200) tally.answered.push(ms);
  else tally.refused.push(ms);
}

/** Asks in `connections` loops until the time is over, each loop at once after its answer or after a pause. */
export async function askInLoops(
  { ask }: LoadClient,
  connections: number,
  ms: number,
  questionOf: (nth: number) => Question,
  pauseMs = 0,
): Promise<Tally> {
  const tally = emptyTally();
  const until = performance.now() + ms;
  let nth = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) {
        nth += 1;
        count(tally, await ask(questionOf(nth)));
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }),
  );
  return tally;
}

/**
 * Asks at a rate, whether or not there are answers, as long as a connection is free, and waits for the last of them.
 * `sent` counts what was asked of the `offered`; `took` is in milliseconds.
 */
export async function askAtRate(
  { ask, isFree }: LoadClient,
  perSecond: number,
  ms: number,
  questionOf: (nth: number) => Question,
): Promise<Tally & { offered: number; sent: number; took: number }> {
  const tally = emptyTally();
  const open = new Set<Promise<void>>();
  const from = performance.now();
  let offered = 0;
  let sent = 0;
  for (let passed = 0; passed < ms; passed = performance.now() - from) {
    for (const due = (passed * perSecond) / 1_000; offered < due; offered += 1) {
      if (!isFree()) continue;
      sent += 1;
      const asked = ask(questionOf(offered)).then((result) => {
        count(tally, result);
        open.delete(asked);
      });
      open.add(asked);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(open);
  return { ...tally, offered, sent, took: performance.now() - from };
}

export function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
