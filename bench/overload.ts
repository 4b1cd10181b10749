import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { commandOptions } from '../scripts/command-options.ts';
import {
  askAtRate,
  askInLoops,
  type LoadClient,
  loadClient,
  quantile,
  type Tally,
} from './overload/load-client.ts';
import type { Loop, LoopSettings } from './overload/loop-thread.ts';
import { type Questions, readQuestions, warmUp } from './overload/questions.ts';
import { makeSampleStore } from './search/sample-stores.ts';
import { type BenchServer, cpuSecondsOf, startSkylark, untilIdle } from './support/start-server.ts';

const options = commandOptions(
  `What other clients notice of one client's loop, and what five and twenty times the load that the server carries does to it.
Times alone and beside a loop are measured in turns, because the machine may be busy with other work.
  npm run bench:overload -- [--data data/bench] [--database <url>] [--seconds 5] [--minutes 0] [--connections 64]
    [--crowd 1000] [--fresh] [--direct] [--attacks places]
Clients have addresses of their own, as behind a trusted proxy.
--direct: all of them ask from this machine, the loop over other connections than the others.
--attacks: some of the loops, by their first words, without the overload; "none" leaves out the loops.
--crowd: the connections of all clients of the overload; with --fresh, each of their requests opens one.
--database: a PostgreSQL with the sample, instead of the embedded store.`,
  {
    data: 'data/bench',
    database: null,
    seconds: 5,
    minutes: 0,
    connections: 64,
    crowd: 1_000,
    fresh: false,
    direct: false,
    attacks: null,
  },
);
const TURN = options.seconds * 1_000;
const OVERLOAD = options.minutes > 0 ? options.minutes * 60_000 : TURN;
const CONNECTIONS = options.connections;
const CROWD = options.crowd;

/** Other clients, each of whom asks again this long after an answer. */
const OTHERS = 4;
const PAUSE = 50;

const ROUNDS = 2;

const server = await startSkylark({ ...(await loadedStore()), TRUST_PROXY: 'loopback', LOG_LEVEL: 'error' });
try {
  await untilIdle(server);
  const questions = await readQuestions(server.address);
  const isForwarded = !options.direct;
  const client = loadClient(server.address, { key: questions.key, connections: CROWD, isForwarded });
  await warmUp(client, questions);
  if (options.attacks !== 'none') {
    const { key } = questions;
    await besideLoops(
      client,
      { server: server.address, key, connections: CONNECTIONS, isForwarded },
      questions,
    );
  }
  client.close();
  if (options.attacks === null || options.attacks === 'none') await overloads(questions);
} finally {
  await server.stop();
}

/** The settings of a store with the sample. */
async function loadedStore(): Promise<Record<string, string>> {
  if (options.database !== null) return { DATABASE_URL: options.database };
  const dataDir = join(options.data, '10-million');
  await makeSampleStore(dataDir, 10_000_000);
  return { DATA_DIR: dataDir };
}

async function besideLoops(
  client: LoadClient,
  settings: LoopSettings,
  { exact, attacks }: Questions,
): Promise<void> {
  const looping = new Worker(new URL('./overload/loop-thread.ts', import.meta.url), { workerData: settings });
  const others = () => askInLoops(client, OTHERS, TURN, (nth) => exact(nth % 250, 1), PAUSE);
  console.log(`Exact searches of ${OTHERS} others, alone and beside a loop of ${CONNECTIONS} connections:`);
  for (const [name, question] of Object.entries(attacks)) {
    if (!name.startsWith(options.attacks ?? '')) continue;
    const alone: number[] = [];
    const beside: number[] = [];
    const looped: Tally[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(...(await others()).answered);
      const loop = once(looping, 'message');
      looping.postMessage({ question, ms: TURN } satisfies Loop);
      beside.push(...(await others()).answered);
      const [tally] = await loop;
      looped.push(tally);
    }
    const times = (share: number) =>
      `${quantile(alone, share).toFixed(1)} -> ${quantile(beside, share).toFixed(1)} ms`;
    const ratio = quantile(beside, 0.95) / quantile(alone, 0.95);
    console.log(
      `  ${name.padEnd(26)} p50 ${times(0.5)}, p95 ${times(0.95)} (${ratio.toFixed(1)} times); the loop got ${statusesOf(looped)}`,
    );
  }
  await looping.terminate();
}

async function overloads({ heavy, key }: Questions & { key: string }): Promise<void> {
  const client = loadClient(server.address, {
    key,
    connections: CROWD,
    isForwarded: !options.direct,
    isFresh: options.fresh,
  });
  const carry = () => askInLoops(client, 16, TURN, (nth) => heavy(nth, 2));
  // The first turn warms up.
  await carry();
  const carried = await carry();
  const perSecond = (tally: Tally) => (tally.answered.length / TURN) * 1_000;
  const capacity = perSecond(carried);
  // As the client of a flood keeps it.
  const busy = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  const besideBusy = perSecond(await carry());
  busy.kill();
  // Searches that are large for one day, so that this client is not what is overloaded.
  const usual = quantile(carried.answered, 0.95);
  console.log(
    `\nIt carries ${capacity.toFixed(0)} large exact searches a second to 16 connections, p95 ${usual.toFixed(0)} ms; ${besideBusy.toFixed(0)} beside another busy processor.`,
  );
  for (const times of [5, 20]) {
    const peak = watchMemory(server);
    const before = await durations(server);
    const cpuBefore = await cpuSecondsOf(server);
    const tally = await askAtRate(client, capacity * times, OVERLOAD, (nth) => heavy(nth, 3));
    const memory = peak.stop();
    const after = await durations(server);
    const cpu = ((await cpuSecondsOf(server)) - cpuBefore) / (tally.took / 1_000);
    const share = (of: 'second' | 'seconds') => (100 * (after[of] - before[of])) / (after.all - before.all);
    const recovery = await untilUsual(client, heavy, usual);
    const answered = (tally.answered.length / tally.took) * 1_000;
    console.log(
      [
        `${times} times that, ${((tally.offered / OVERLOAD) * 1_000).toFixed(0)} a second offered for ${(OVERLOAD / 1_000).toFixed(0)} s, of which ${((tally.sent / OVERLOAD) * 1_000).toFixed(0)} found one of ${CROWD} connections free; the last answer after ${(tally.took / 1_000).toFixed(1)} s:`,
        `  ${statusesOf([tally])}; answered ${answered.toFixed(0)} a second, ${((100 * answered) / capacity).toFixed(0)}% of what it carries`,
        `  answers p50 ${quantile(tally.answered, 0.5).toFixed(0)} ms, p95 ${quantile(tally.answered, 0.95).toFixed(0)} ms; refusals p95 ${quantile(tally.refused, 0.95).toFixed(0)} ms, slowest ${quantile(tally.refused, 1).toFixed(0)} ms, as this busy client measures`,
        `  by the server's own clock, ${share('second').toFixed(2)}% were answered or refused within a second, ${share('seconds').toFixed(2)}% within 2.5; it had ${(100 * cpu).toFixed(0)}% of a processor`,
        `  peak memory ${memory.resident} MB, of which ${memory.own} MB its own; as usual after ${recovery.toFixed(0)} ms`,
      ].join('\n'),
    );
  }
  client.close();
}

/** How many requests to /graphql the server has answered in any way, within a second, 2.5 seconds and at all. */
async function durations({
  address,
}: BenchServer): Promise<{ second: number; seconds: number; all: number }> {
  const metrics = await (await fetch(`${address}/metrics`)).text();
  const sum = (pattern: RegExp) =>
    [...metrics.matchAll(pattern)].reduce((total, [, value]) => total + Number(value), 0);
  const name = 'skylark_http_request_duration_seconds';
  const within = (seconds: string) =>
    sum(new RegExp(`^${name}_bucket\\{le="${seconds}",[^}]*route="/graphql"[^}]*\\} (\\d+)`, 'gm'));
  return {
    second: within('1'),
    seconds: within('2.5'),
    all: sum(new RegExp(`^${name}_count\\{[^}]*route="/graphql"[^}]*\\} (\\d+)`, 'gm')),
  };
}

/** Milliseconds until three searches in a row take no longer than usual. */
async function untilUsual(client: LoadClient, heavy: Questions['heavy'], usual: number): Promise<number> {
  const from = performance.now();
  for (let good = 0, nth = 0; good < 3; nth += 1) {
    const { status, ms } = await client.ask(heavy(nth, 4));
    good = status === 200 && ms <= usual ? good + 1 : 0;
  }
  return performance.now() - from;
}

/** The highest resident set, and its share that is not a file's, in MB. */
function watchMemory({ pid }: BenchServer): { stop(): { resident: number; own: number } } {
  const peak = { resident: 0, own: 0 };
  const timer = setInterval(() => {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const megabytes = (name: string) =>
      Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1_024);
    peak.resident = Math.max(peak.resident, megabytes('VmRSS'));
    peak.own = Math.max(peak.own, megabytes('RssAnon'));
  }, 100);
  return {
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}

function statusesOf(tallies: readonly Tally[]): string {
  const sums = new Map<string, number>();
  for (const { statuses } of tallies) {
    for (const [status, times] of Object.entries(statuses)) {
      sums.set(status, (sums.get(status) ?? 0) + times);
    }
  }
  return [...sums].map(([status, times]) => `${times} x ${status === '0' ? 'no answer' : status}`).join(', ');
}
