import { Agent, request } from 'node:http';
import { zstdDecompressSync } from 'node:zlib';

/** A request body. The server of recorded responses recognises it by `nth`. */
export interface Posted {
  nth: number;
  body: string;
}

export interface Answered {
  ms: number;
  status: number;
  headers: Readonly<Record<string, string>>;
  content: Buffer;
}

export interface Round {
  /** Milliseconds from the first request to the last response. */
  tookMs: number;
  /** In the order of the requests. */
  answers: Answered[];
}

/** The first field in a response's data. Throws if the request was rejected. */
export function dataOf<T>({ status, headers, content }: Answered): T {
  const text = String(headers['content-encoding'] === 'zstd' ? zstdDecompressSync(content) : content);
  if (status !== 200) throw new Error(`A request returned status ${status}: ${text}`);
  const { data, errors } = JSON.parse(text) as { data?: Record<string, T>; errors?: unknown };
  const [found] = Object.values(data ?? {});
  if (errors !== undefined || found === undefined) throw new Error(`A request was refused: ${text}`);
  return found;
}

export function meanKilobytes(answers: readonly Answered[]): number {
  return answers.reduce((sum, { content }) => sum + content.length, 0) / answers.length / 1_000;
}

/** Clients whose connections stay open between rounds. */
export interface Clients {
  /** Posts each request once. Each client waits for its response before it sends another request. */
  postAll(requests: readonly Posted[]): Promise<Round>;
  close(): void;
}

export function openClients(url: string, key: string, clients: number): Clients {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  return {
    async postAll(requests) {
      const waiting = requests.entries();
      const answers: Answered[] = [];
      const client = async () => {
        for (const [at, one] of waiting) answers[at] = await post(url, key, one, agent);
      };
      const from = performance.now();
      await Promise.all(Array.from({ length: clients }, client));
      return { tookMs: performance.now() - from, answers };
    },
    close: () => agent.destroy(),
  };
}

function post(url: string, key: string, { nth, body }: Posted, agent: Agent): Promise<Answered> {
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-api-key': key,
    'x-nth': nth,
    'accept-encoding': 'gzip, br, zstd',
  };
  return new Promise((resolve, reject) => {
    const from = performance.now();
    const asked = request(url, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          ms: performance.now() - from,
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string>,
          content: Buffer.concat(chunks),
        }),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
