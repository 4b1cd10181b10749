import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { todayInLondon } from '../domain/calendar-date.ts';
import { commandOptions } from '../scripts/command-options.ts';
import { openInventoryWriter } from '../server/ingest/open-inventory-writer.ts';
import { loadSample } from '../server/sample/load-sample.ts';
import { startPostgres, withClient } from '../tests/fixtures/postgres.ts';
import {
  clientsOf,
  meanRound,
  measureRound,
  postTo,
  type Round,
} from './postgraphile-comparison/measure-round.ts';
import { prepareTables, type Question, readQuestions } from './postgraphile-comparison/queries.ts';
import { type BenchServer, startProgram, untilIdle } from './support/start-server.ts';

const options = commandOptions(
  `Compares searches over HTTP on PostgreSQL with PostGraphile on the same tables.
  npm run bench:postgraphile -- [--packages 1000000] [--requests 1000] [--clients 16] [--url postgresql://...]
Without --url it starts a temporary PostgreSQL and loads packages of the sample. Both servers get the same searches: a
day, nights, an airport, and a country, region or resort. The answers are compared first.`,
  { packages: 1_000_000, requests: 1_000, clients: 16, url: null },
);
const CLIENTS = options.clients;

/** Unmeasured rounds, until the code is compiled by the JIT. */
const WARM_UP = 5;

/** The servers alternate, so that other load affects both. */
const ROUNDS = 10;

/** The number of answers to compare before measuring. */
const COMPARED = 50;

const POSTGRAPHILE = join(import.meta.dirname, 'postgraphile');
const KEYS = { ALERTS_KEY: 'e'.repeat(64), TOKEN_KEY: 'a key of the benchmark' };

execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
  cwd: POSTGRAPHILE,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const own = options.url === null ? await startPostgres() : null;
const url = options.url ?? own?.urlOf('postgres') ?? '';
try {
  if (own !== null) await load(options.packages);
  await compare();
} finally {
  await own?.remove();
}

async function load(packages: number): Promise<void> {
  const now = Date.now();
  const store = { kind: 'postgresql', url, readUrls: [] } as const;
  const writer = await openInventoryWriter(store, { recordsPrices: false });
  const from = performance.now();
  let written = 0;
  await loadSample({
    writer,
    seed: 1,
    today: todayInLondon(now),
    now: Math.floor(now / 60_000),
    removesDeparted: true,
    onProgress({ offers }) {
      written = offers;
    },
    stopped: () => written >= packages,
  });
  await writer.close();
  const rate = written / ((performance.now() - from) / 1_000);
  console.log(`${written} packages loaded, ${Math.round(rate)} a second`);
}

async function compare(): Promise<void> {
  const questions = await withClient(url, async (client) => {
    await prepareTables(client);
    return readQuestions(client, options.requests);
  });
  const settings = { SEARCH_COLLAPSE: 'none', REQUEST_LIMIT: '0', LOG_LEVEL: 'error' };
  const skylark = await startProgram(['server/main.ts'], {
    PORT: '0',
    SAMPLE_INVENTORY: 'off',
    DATABASE_URL: url,
    ...KEYS,
    ...settings,
  });
  const postgraphile = await startProgram([join(POSTGRAPHILE, 'serve.js')], { DATABASE_URL: url });
  try {
    await checkAnswers(questions.slice(0, COMPARED), skylark, postgraphile);
    await untilIdle(skylark);
    const ours = questions.map(({ skylark: body }) => body);
    const theirs = questions.map(({ postgraphile: body }) => body);
    const contests = {
      Skylark: { server: skylark, bodies: ours, clients: clientsOf(CLIENTS) },
      'Skylark, not compressed': { server: skylark, bodies: ours, clients: clientsOf(CLIENTS, 'identity') },
      PostGraphile: { server: postgraphile, bodies: theirs, clients: clientsOf(CLIENTS) },
    };
    const measured = Object.entries(contests).map(([name, contest]) => ({
      name,
      ...contest,
      rounds: [] as Round[],
    }));
    for (let round = 1; round <= WARM_UP + ROUNDS; round += 1) {
      for (const { server, bodies, clients, rounds } of measured) {
        const one = await measureRound(server, bodies, clients);
        if (round > WARM_UP) rounds.push(one);
      }
    }
    for (const { clients } of measured) clients.agent.destroy();
    report(new Map(measured.map(({ name, rounds }) => [name, meanRound(rounds)])));
  } finally {
    await postgraphile.stop();
    await skylark.stop();
  }
}

/** Throws unless both servers return the same prices and counts. */
async function checkAnswers(
  questions: readonly Question[],
  skylark: BenchServer,
  postgraphile: BenchServer,
): Promise<void> {
  const clients = clientsOf(1);
  for (const question of questions) {
    const ours = answerOf(await postTo(skylark, clients, question.skylark)) as {
      data: { searchPackages: { count: number; items: { TotalPrice: number }[] } };
    };
    const theirs = answerOf(await postTo(postgraphile, clients, question.postgraphile)) as {
      data: { allOffers: { totalCount: number; nodes: { price: number }[] } };
    };
    const { count, items } = ours.data.searchPackages;
    const { totalCount, nodes } = theirs.data.allOffers;
    const prices = items.map(({ TotalPrice }) => Math.round(TotalPrice * 100)).join();
    if (count !== totalCount || prices !== nodes.map(({ price }) => price).join()) {
      throw new Error(
        `Different answers to ${JSON.stringify(question)}: ${count} and ${totalCount} packages`,
      );
    }
  }
  clients.agent.destroy();
  console.log(`${questions.length} answers compared: the same packages, prices and counts`);
}

/** Zstandard data starts with a magic number; PostGraphile does not compress. */
function answerOf(bytes: Buffer): unknown {
  const isZstd = bytes.length > 4 && bytes.readUInt32LE(0) === 0xfd2fb528;
  return JSON.parse(String(isZstd ? zstdDecompressSync(bytes) : bytes));
}

function report(rounds: ReadonlyMap<string, Round>): void {
  const row = (round: Round) => ({
    'requests a second': Math.round(round.requestsPerSecond),
    'p50 ms': round.p50.toFixed(1),
    'p95 ms': round.p95.toFixed(1),
    'p99 ms': round.p99.toFixed(1),
    'CPU ms a request': round.cpu.toFixed(2),
    'bytes an answer': Math.round(round.bytes),
  });
  console.table(Object.fromEntries([...rounds].map(([name, round]) => [name, row(round)])));
  const theirs = rounds.get('PostGraphile');
  for (const [name, ours] of rounds) {
    if (theirs === undefined || ours === theirs) continue;
    const ratio = (ours.requestsPerSecond / theirs.requestsPerSecond).toFixed(1);
    const less = (theirs.cpu / ours.cpu).toFixed(1);
    console.log(`${name}: ${ratio} times PostGraphile's throughput, ${less} times less CPU in the server`);
  }
  console.log(
    `${ROUNDS} rounds of ${options.requests} requests, ${CLIENTS} clients; load ${loadavg()[0]?.toFixed(1)} at the end`,
  );
}
