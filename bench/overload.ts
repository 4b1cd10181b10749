import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { commandLine } from '../server/lib/command-line.ts';
import { type LoadClient, loadClient, quantile, sendAtRate, sendInLoops } from './overload/load-client.ts';
import type { Loop, LoopSettings } from './overload/loop-thread.ts';
import { type LoadRequests, readRequests } from './overload/requests.ts';
import { makeSampleStore } from './search/sample-stores.ts';
import { forgetPeak, memoryOf } from './support/process-memory.ts';
import { startSkylark, untilIdle } from './support/start-server.ts';

const { options } = commandLine(
  `What one client's loop does to other clients, and what several times the load that the server carries does to it.
  npm run bench:overload -- [--data data/bench/10-million] [--packages 10000000] [--seconds 5] [--loops ''] [--times 5,20]
Clients have addresses of their own, as behind a trusted proxy.
--loops: the loops whose names begin so; "none" leaves them out. --times: how many times the load; "none" leaves it out.
Bounds: a loop raises others' p95 at most threefold, or to 50 ms. At 5 times the load, at least 70% of it is answered,
the rest is refused within a second, and the server is normal again within 5 s. At most 1 GB of memory. Linux only.`,
  { options: { data: 'data/bench/10-million', packages: 10_000_000, seconds: 5, loops: '', times: '5,20' } },
);
const MS = options.seconds * 1_000;

/** The connections of the looping client, and those of all clients during overload. */
const LOOP_CONNECTIONS = 64;
const OVERLOAD_CONNECTIONS = 1_000;

/** How many other clients there are during a loop, and how long each pauses between searches. */
const OTHERS = 4;
const PAUSE_MS = 50;

const ROUNDS = 2;

await makeSampleStore(options.data, options.packages);
const server = await startSkylark({ DATA_DIR: options.data, TRUST_PROXY: 'loopback', LOG_LEVEL: 'error' });
try {
  await untilIdle(server);
  const requests = await readRequests(server.url);
  const client = loadClient(server.url, { key: requests.key, connections: OVERLOAD_CONNECTIONS });
  // Fills the caches before measuring.
  await sendInLoops(client, OTHERS, MS, (nth) => requests.exact(nth, 0));
  if (options.loops !== 'none') await besideLoops(client, requests);
  if (options.times !== 'none') await overloads(client, requests);
  client.close();
} finally {
  await server.stop();
}

async function besideLoops(client: LoadClient, { exact, loops, key }: LoadRequests): Promise<void> {
  const settings: LoopSettings = { server: server.url, key, connections: LOOP_CONNECTIONS };
  const looping = new Worker(new URL('./overload/loop-thread.ts', import.meta.url), { workerData: settings });
  const others = async () =>
    (await sendInLoops(client, OTHERS, MS, (nth) => exact(nth % 250, 1), PAUSE_MS)).answered;
  console.log(
    `Exact searches of ${OTHERS} others, alone and during a loop of ${LOOP_CONNECTIONS} connections:`,
  );
  for (const [name, requestOf] of Object.entries(loops)) {
    if (!name.startsWith(options.loops)) continue;
    const alone: number[] = [];
    const duringLoop: number[] = [];
    const statuses: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(...(await others()));
      const looped = once(looping, 'message');
      // From a new client, which still has its whole allowance.
      looping.postMessage({ request: requestOf(), ms: MS } satisfies Loop);
      duringLoop.push(...(await others()));
      statuses.push(String((await looped)[0]));
    }
    const times = (share: number) =>
      `${quantile(alone, share).toFixed(1)} -> ${quantile(duringLoop, share).toFixed(1)} ms`;
    const ratio = quantile(duringLoop, 0.95) / quantile(alone, 0.95);
    console.log(
      `  ${name.padEnd(22)} p50 ${times(0.5)}, p95 ${times(0.95)} (${ratio.toFixed(1)} times); the loop got ${statuses.join('; ')}`,
    );
  }
  await looping.terminate();
}

async function overloads(client: LoadClient, { heavy }: LoadRequests): Promise<void> {
  const carried = await sendInLoops(client, 16, MS, (nth) => heavy(nth, 2));
  const capacity = carried.answered.length / options.seconds;
  const usual = quantile(carried.answered, 0.95);
  console.log(
    `It carries ${capacity.toFixed(0)} large exact searches a second to 16 connections, p95 ${usual.toFixed(0)} ms.`,
  );
  for (const times of options.times.split(',').map(Number)) {
    forgetPeak(server.pid);
    const load = await sendAtRate(client, capacity * times, MS, (nth) => heavy(nth, 3));
    const peak = memoryOf(server.pid).peak / 1e6;
    const recoveredMs = await untilUsual(client, heavy, usual);
    const answered = (load.answered.length / load.tookMs) * 1_000;
    const ms = (values: readonly number[], share: number) => quantile(values, share).toFixed(0);
    console.log(`${times} times that, over ${OVERLOAD_CONNECTIONS} connections:
  ${load.statuses}; ${answered.toFixed(0)} a second answered, ${((100 * answered) / capacity).toFixed(0)}% of what it carries
  answers p50 ${ms(load.answered, 0.5)}, p95 ${ms(load.answered, 0.95)} ms; refusals p50 ${ms(load.refused, 0.5)}, p95 ${ms(load.refused, 0.95)} ms
  peak memory ${peak.toFixed(0)} MB; normal again after ${recoveredMs.toFixed(0)} ms`);
  }
}

/** Milliseconds until three searches in a row take no longer than usual. */
async function untilUsual(client: LoadClient, heavy: LoadRequests['heavy'], usual: number): Promise<number> {
  const from = performance.now();
  for (let good = 0, nth = 0; good < 3; nth += 1) {
    const { status, ms } = await client.send(heavy(nth, 4));
    good = status === 200 && ms <= usual ? good + 1 : 0;
  }
  return performance.now() - from;
}
