import { execFileSync } from 'node:child_process';
import { Agent } from 'node:http';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { zstdDecompressSync } from 'node:zlib';
import { todayInLondon } from '../domain/calendar-date.ts';
import { loadSample } from '../server/sample/load-sample.ts';
import { openInventoryWriter } from '../server/storage/open-inventory-writer.ts';
import { startPostgres, withClient } from '../tests/fixtures/postgres.ts';
import { meanRound, measureRound, postTo, type Round } from './beside-postgraphile/measured-server.ts';
import { prepareTables, type Question, readQuestions } from './beside-postgraphile/questions.ts';
import { type BenchServer, startProgram, untilIdle } from './start-server.ts';

/*
 * Searches over HTTP on PostgreSQL, beside PostGraphile on the same tables, in one run:
 *   npm run bench:postgraphile -- [--packages 1000000] [--requests 1000] [--clients 16] [--url postgresql://...]
 * Without --url it starts a PostgreSQL of its own and loads so many of the sample's packages. Both are asked for the
 * same: a day, a length of stay, an airport, a country, region or resort. What they answer is compared first.
 */
const { values: options } = parseArgs({
  options: {
    packages: { type: 'string', default: '1000000' },
    requests: { type: 'string', default: '1000' },
    clients: { type: 'string', default: '16' },
    url: { type: 'string' },
  },
});
const CLIENTS = Number(options.clients);
const ROUNDS = 5;

/** Requests of one turn. */
const TURN = 100;

/** Answers that are compared before anything is measured. */
const COMPARED = 50;

const POSTGRAPHILE = join(import.meta.dirname, 'postgraphile');
const KEYS = { ALERTS_KEY: 'e'.repeat(64), TOKEN_KEY: 'a key of the benchmark' };

execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
  cwd: POSTGRAPHILE,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const own = options.url === undefined ? await startPostgres() : null;
const url = options.url ?? own?.urlOf('postgres') ?? '';
try {
  if (own !== null) await load(Number(options.packages));
  await compare();
} finally {
  await own?.remove();
}

async function load(packages: number): Promise<void> {
  const now = Date.now();
  const store = { kind: 'postgresql', url, readUrls: [] } as const;
  const writer = await openInventoryWriter(store, { firstSightings: false });
  const from = performance.now();
  let written = 0;
  await loadSample({
    writer,
    seed: 1,
    today: todayInLondon(now),
    now: Math.floor(now / 60_000),
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
    return readQuestions(client, Number(options.requests));
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
    const turns: { ours: Round; theirs: Round }[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (let from = 0; from < questions.length; from += TURN) {
        // They take short turns, so that a busy machine slows both.
        const turn = {
          ours: await measureRound(skylark, ours.slice(from, from + TURN), CLIENTS),
          theirs: await measureRound(postgraphile, theirs.slice(from, from + TURN), CLIENTS),
        };
        // The first round is for warming up.
        if (round > 0) turns.push(turn);
      }
    }
    report(meanRound(turns.map(({ ours: one }) => one)), meanRound(turns.map(({ theirs: one }) => one)));
  } finally {
    await postgraphile.stop();
    await skylark.stop();
  }
}

/** Both must count and price the same packages, or there is nothing to compare. */
async function checkAnswers(
  questions: readonly Question[],
  skylark: BenchServer,
  postgraphile: BenchServer,
): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  for (const question of questions) {
    const ours = answerOf(await postTo(skylark, agent, question.skylark)) as {
      data: { searchPackages: { count: number; items: { TotalPrice: number }[] } };
    };
    const theirs = answerOf(await postTo(postgraphile, agent, question.postgraphile)) as {
      data: { allOffers: { totalCount: number; nodes: { price: number }[] } };
    };
    const { count, items } = ours.data.searchPackages;
    const { totalCount, nodes } = theirs.data.allOffers;
    const prices = items.map(({ TotalPrice }) => Math.round(TotalPrice * 100)).join();
    if (count !== totalCount || prices !== nodes.map(({ price }) => price).join()) {
      throw new Error(`The two differ on ${JSON.stringify(question)}: ${count} and ${totalCount} packages`);
    }
  }
  agent.destroy();
  console.log(`${questions.length} answers compared: the same packages, prices and counts`);
}

/** Zstandard begins with four bytes of its own; PostGraphile does not compress. */
function answerOf(bytes: Buffer): unknown {
  const isZstd = bytes.length > 4 && bytes.readUInt32LE(0) === 0xfd2fb528;
  return JSON.parse(String(isZstd ? zstdDecompressSync(bytes) : bytes));
}

function report(ours: Round, theirs: Round): void {
  const row = (round: Round) => ({
    'requests a second': Math.round(round.requestsASecond),
    'p50 ms': round.p50.toFixed(1),
    'p95 ms': round.p95.toFixed(1),
    'p99 ms': round.p99.toFixed(1),
    'CPU ms a request': round.cpu.toFixed(2),
    'bytes an answer': Math.round(round.bytes),
  });
  console.table({ Skylark: row(ours), PostGraphile: row(theirs) });
  const ratio = ours.requestsASecond / theirs.requestsASecond;
  console.log(
    `${ratio.toFixed(1)} times PostGraphile's throughput, ${(theirs.cpu / ours.cpu).toFixed(1)} times less CPU in the server`,
  );
  console.log(
    `${ROUNDS} rounds in turns of ${TURN} requests, ${CLIENTS} clients; load ${loadavg()[0]?.toFixed(1)} at the end`,
  );
}
