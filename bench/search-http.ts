import { join } from 'node:path';
import { parseCalendarDate } from '../domain/calendar-date.ts';
import { SEARCH_PACKAGES_QUERY } from '../domain/search-query.ts';
import { SEARCH_WITH_FACETS_QUERY } from '../domain/search-with-facets-query.ts';
import { commandOptions } from '../scripts/command-options.ts';
import { anySearch, numbersFrom } from './search/any-search.ts';
import { quantile, withBytesOnly } from './search/bytes-only.ts';
import { type Answered, dataOf, meanKilobytes, openClients, type Posted } from './search/post-searches.ts';
import { makeSampleStore } from './search/sample-stores.ts';
import { readWorld } from './support/read-world.ts';
import { type BenchServer, cpuSecondsOf, startServer, untilIdle } from './support/start-server.ts';

const options = commandOptions(
  `Searches over HTTP on 1 million and on all 9.9 million packages of the sample, next to a plain node:http server that
sends the same bytes. The servers alternate, so that other load affects both. With --facets: searches with facets, next
to the same searches without.
  npm run bench:search -- [--data data/bench] [--requests 1000] [--rounds 5] [--clients 16] [--facets]`,
  { data: 'data/bench', requests: 1_000, rounds: 5, clients: 16, facets: false },
);
const REQUESTS = options.requests;
const ROUNDS = options.rounds;
const CLIENTS = options.clients;

/** Requests per batch. */
const BATCH = 100;

const SIZES = { '1 million': 1_000_000, '10 million': 10_000_000 };

/** The comment in `schema` keeps that query off the direct path, so that it runs through the schema. */
const QUERIES = { direct: SEARCH_PACKAGES_QUERY, schema: `# by the schema\n${SEARCH_PACKAGES_QUERY}` };

interface Measured {
  /** A single client's response times in milliseconds, sorted. */
  alone: number[];
  /** Responses per second to concurrent clients. */
  perSecond: number;
  /** The server's processor time per response, in microseconds. */
  cpu: number;
}

const results: { size: string; path: string; skylark: Measured; bytes: Measured }[] = [];
for (const [size, packages] of Object.entries(SIZES)) {
  const dataDir = join(options.data, size.replace(' ', '-'));
  await makeSampleStore(dataDir, packages);
  const skylark = await startServer(dataDir);
  try {
    await untilIdle(skylark);
    if (options.facets) await measureFacets(size, skylark);
    else for (const [path, query] of Object.entries(QUERIES)) await measure(size, path, query, skylark);
  } finally {
    await skylark.stop();
  }
}
if (!options.facets) summarise();

async function measure(size: string, path: string, query: string, skylark: BenchServer): Promise<void> {
  const { key, requests, answers } = await searchesFor(skylark, query);
  const [ours, floor] = await withBytesOnly(answers, (bytes) =>
    alternate(key, { server: skylark, requests }, { server: bytes, requests }),
  );
  const hotels = answers.reduce((sum, answer) => sum + hotelsIn(answer), 0) / REQUESTS;
  console.log(
    `\n${size} packages, ${path} path: an answer has ${hotels.toFixed(0)} hotels and ${meanKilobytes(answers).toFixed(1)} kB`,
  );
  print('Skylark', ours);
  print('bytes only', floor);
  results.push({ size, path, skylark: ours, bytes: floor });
}

interface Side {
  server: BenchServer;
  requests: readonly Posted[];
}

/** Measures the same searches without and with facets, in alternating batches. */
async function measureFacets(size: string, server: BenchServer): Promise<void> {
  const { key, requests, answers } = await searchesFor(server, SEARCH_PACKAGES_QUERY);
  const faceted = requests.map(({ nth, body }) => {
    const { variables } = JSON.parse(body) as { variables: object };
    return { nth, body: JSON.stringify({ query: SEARCH_WITH_FACETS_QUERY, variables }) };
  });
  const [plain, facets] = await alternate(key, { server, requests }, { server, requests: faceted });
  console.log(`\n${size} packages: an answer without facets has ${meanKilobytes(answers).toFixed(1)} kB`);
  print('without', plain);
  print('facets', facets);
  const ratio = (share: number) => (quantile(facets.alone, share) / quantile(plain.alone, share)).toFixed(2);
  console.log(
    `  facets take ${ratio(0.5)} times as long at the median, ${ratio(0.95)} at the 95th percentile, and ${(facets.cpu / plain.cpu).toFixed(2)} times the processor time`,
  );
}

/** Chooses searches with results, because most random pairs of place and airport have no flights. */
async function searchesFor(
  { url }: BenchServer,
  query: string,
): Promise<{ key: string; requests: Posted[]; answers: Answered[] }> {
  const world = { ...(await readWorld(url)), last: await lastDeparture(url) };
  const random = numbersFrom(1);
  const requests: Posted[] = [];
  const answers: Answered[] = [];
  // Only four clients: with more than ten open requests, a server with a late event loop rejects some.
  const clients = openClients(`${url}/graphql`, world.key, 4);
  while (requests.length < REQUESTS) {
    const drawn = Array.from({ length: REQUESTS }, (_, nth) => ({
      nth,
      body: JSON.stringify({ query, variables: anySearch(world, random) }),
    }));
    const round = await clients.postAll(drawn);
    for (const [nth, answer] of round.answers.entries()) {
      const body = drawn[nth]?.body;
      if (body === undefined || hotelsIn(answer) === 0 || requests.length === REQUESTS) continue;
      requests.push({ nth: requests.length, body });
      answers.push(answer);
    }
  }
  clients.close();
  return { key: world.key, requests, answers };
}

function hotelsIn(answer: Answered): number {
  return dataOf<{ totalReturned: number }>(answer).totalReturned;
}

/** Waits until the server has counted its store, then returns the last day on sale. */
async function lastDeparture(url: string) {
  for (;;) {
    const health = (await (await fetch(`${url}/healthz`)).json()) as {
      inventory: { throughDay: string | null };
    };
    const day = parseCalendarDate(health.inventory.throughDay ?? '');
    if (day !== null) return day;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Alternates between the servers, so that other load on the machine affects both. */
async function alternate(key: string, one: Side, other: Side): Promise<[Measured, Measured]> {
  const [first, second] = [await openBatches(one.server, key), await openBatches(other.server, key)];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let start = 0; start < one.requests.length; start += BATCH) {
      await first.take(one.requests.slice(start, start + BATCH));
      await second.take(other.requests.slice(start, start + BATCH));
    }
  }
  return [await first.end(), await second.end()];
}

async function openBatches(server: BenchServer, key: string) {
  const url = `${server.url}/graphql`;
  const [single, many] = [openClients(url, key, 1), openClients(url, key, CLIENTS)];
  const alone: number[] = [];
  let [answered, ms, cpu] = [0, 0, 0];
  return {
    async take(batch: readonly Posted[]): Promise<void> {
      const one = await single.postAll(batch.slice(0, batch.length / 4));
      alone.push(...one.answers.map((answer) => answer.ms));
      const before = await cpuSecondsOf(server);
      ms += (await many.postAll(batch)).tookMs;
      cpu += (await cpuSecondsOf(server)) - before;
      answered += batch.length;
    },
    async end(): Promise<Measured> {
      single.close();
      many.close();
      return {
        alone: alone.toSorted((a, b) => a - b),
        perSecond: (answered / ms) * 1_000,
        cpu: (cpu / answered) * 1e6,
      };
    },
  };
}

function print(name: string, { alone, perSecond, cpu }: Measured): void {
  const at = (share: number) => quantile(alone, share).toFixed(2).padStart(7);
  console.log(
    `  ${name.padEnd(11)} 1 client: p50 ${at(0.5)} p95 ${at(0.95)} p99 ${at(0.99)} ms | ${CLIENTS} clients: ${perSecond.toFixed(0).padStart(6)}/s, ${cpu.toFixed(0).padStart(5)} us of processor time per response`,
  );
}

function summarise(): void {
  console.log('');
  for (const { size, path, skylark, bytes } of results) {
    console.log(
      `${size}, ${path}: ${(skylark.perSecond / bytes.perSecond).toFixed(2)} of the throughput of the same bytes from node:http, ${(skylark.cpu / bytes.cpu).toFixed(1)} times its processor time`,
    );
  }
  for (const path of Object.keys(QUERIES)) {
    const [small, large] = results.filter((one) => one.path === path);
    if (small === undefined || large === undefined) continue;
    const ratio = (share: number) =>
      (quantile(large.skylark.alone, share) / quantile(small.skylark.alone, share)).toFixed(2);
    console.log(
      `${path}: 10 million take ${ratio(0.5)} times as long as 1 million at the median, ${ratio(0.95)} at the 95th percentile`,
    );
  }
}
