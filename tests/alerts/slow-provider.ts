import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, Worker, workerData } from 'node:worker_threads';

export interface SlowProvider {
  url: string;
  /** Requests so far. */
  readonly calls: number;
  close(): Promise<void>;
}

interface Order {
  answersAfter: number | null;
  calls: Int32Array;
}

/**
 * A provider that accepts everything `answersAfter` milliseconds later, or never answers (null). In a thread of its
 * own: it goes on while its test waits for a store.
 */
export async function startSlowProvider(answersAfter: number | null): Promise<SlowProvider> {
  const calls = new Int32Array(new SharedArrayBuffer(4));
  const slow: Order = { answersAfter, calls };
  const worker = new Worker(new URL(import.meta.url), { workerData: { slow } });
  const [port] = (await once(worker, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    get calls() {
      return Atomics.load(calls, 0);
    },
    async close() {
      await worker.terminate();
    },
  };
}

const order = (workerData as { slow?: Order } | null)?.slow;
if (order !== undefined) {
  const { answersAfter, calls } = order;
  const server = createServer((request, response) => {
    const id = Atomics.add(calls, 0, 1);
    request.resume();
    if (answersAfter === null) return;
    setTimeout(() => response.end(JSON.stringify({ messages: [{ id: `m${id}` }] })), answersAfter);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  parentPort?.postMessage((server.address() as AddressInfo).port);
}
