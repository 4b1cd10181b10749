import { Agent, request } from 'node:http';

/** A POST from an address, as a trusted proxy forwards it. */
export interface Question {
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
  close(): void;
}

/** The connections of a client. Requests beyond them wait for one, as they do in a browser or behind a proxy. */
const CONNECTIONS = 1_000;

export function loadClient(server: string, key: string): LoadClient {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  return {
    ask: ({ path, body, address }) =>
      new Promise((resolve) => {
        const from = performance.now();
        const headers = {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'x-api-key': key,
          'accept-encoding': 'gzip, br, zstd',
          'x-forwarded-for': address,
        };
        const asked = request(server + path, { method: 'POST', agent, headers }, (response) => {
          response.resume();
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, ms: performance.now() - from }),
          );
        });
        asked.on('error', () => resolve({ status: 0, ms: performance.now() - from }));
        asked.end(body);
      }),
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

/** Asks at a rate, whether or not there are answers, and waits for the last of them. `took` is in milliseconds. */
export async function askAtRate(
  { ask }: LoadClient,
  perSecond: number,
  ms: number,
  questionOf: (nth: number) => Question,
): Promise<Tally & { offered: number; took: number }> {
  const tally = emptyTally();
  const open: Promise<void>[] = [];
  const from = performance.now();
  let offered = 0;
  for (let passed = 0; passed < ms; passed = performance.now() - from) {
    for (const due = (passed * perSecond) / 1_000; offered < due; offered += 1) {
      open.push(ask(questionOf(offered)).then((result) => count(tally, result)));
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(open);
  return { ...tally, offered, took: performance.now() - from };
}

export function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
