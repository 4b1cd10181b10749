import { join } from 'node:path';
import { parseCalendarDate } from '../domain/calendar-date.ts';
import { SEARCH_PACKAGES_QUERY } from '../domain/search-query.ts';
import { SEARCH_WITH_FACETS_QUERY } from '../domain/search-with-facets-query.ts';
import { commandLine } from '../server/lib/command-line.ts';
import { anySearch, numbersFrom } from './search/any-search.ts';
import { quantile, withBytesOnly } from './search/bytes-only.ts';
import { type Answered, dataOf, meanKilobytes, openClients, type Posted } from './search/post-searches.ts';
import { makeSampleStore } from './search/sample-stores.ts';
import { readWorld } from './support/read-world.ts';
import { type BenchServer, cpuSecondsOf, startServer, untilIdle } from './support/start-server.ts';

const { options } = commandLine(
  `Searches over HTTP on 1 million and on all 9.9 million packages of the sample, next to a plain node:http server that
sends the same bytes. The servers alternate, so that other load affects both. Every search is different, except in the
Zipf row, which draws four times as many from 20,000 searches. With --facets: searches with facets, next to the same
searches without.
  npm run bench:search -- [--data data/bench] [--millions 1,10] [--requests 5000] [--clients 16] [--facets]`,
  { options: { data: 'data/bench', millions: '1,10', requests: 5_000, clients: 16, facets: false } },
);
const REQUESTS = options.requests;
const CLIENTS = options.clients;

/** Requests per batch. */
const BATCH = 250;

/** The comment keeps the query off the direct path and out of the cache, so that it runs through the schema. */
const BY_SCHEMA = `# by the schema\n${SEARCH_PACKAGES_QUERY}`;

/** Each path's query, and how many of its searches are drawn from a Zipf distribution. */
const PATHS = {
  direct: { query: SEARCH_PACKAGES_QUERY, draws: null },
  'direct, Zipf': { query: SEARCH_PACKAGES_QUERY, draws: 4 * REQUESTS },
  schema: { query: BY_SCHEMA, draws: null },
};

const SEARCHES_OF_ZIPF = 20_000;

interface Measured {
  /** A single client's response times in milliseconds, sorted. */
  alone: number[];
  /** Responses per second to concurrent clients. */
  perSecond: number;
  /** The server's processor time per response, in microseconds. */
  cpu: number;
}

const results: { size: string; path: string; skylark: Measured; bytes: Measured }[] = [];
for (const millions of options.millions.split(',')) {
  const size = `${millions} million`;
  const dataDir = join(options.data, size.replace(' ', '-'));
  await makeSampleStore(dataDir, Number(millions) * 1e6);
  const skylark = await startServer(dataDir);
  try {
    await untilIdle(skylark);
    const draw = await searchesOf(skylark);
    if (options.facets) await measureFacets(size, draw, skylark);
    else for (const [path, one] of Object.entries(PATHS)) await measure(size, path, one, draw, skylark);
  } finally {
    await skylark.stop();
  }
}
if (!options.facets) summarise();

async function measure(
  size: string,
  path: string,
  { query, draws }: { query: string; draws: number | null },
  { key, take }: Searches,
  skylark: BenchServer,
): Promise<void> {
  const order = draws === null ? Array.from({ length: REQUESTS }, (_, nth) => nth) : zipfOrder(draws);
  const { variables, answers } = await take(Math.max(...order) + 1);
  const requests = order.map((nth) => ({ nth, body: JSON.stringify({ query, variables: variables[nth] }) }));
  const [ours, floor] = await withBytesOnly(answers, (bytes) =>
    alternate(key, { server: skylark, requests }, { server: bytes, requests }),
  );
  const hotels = answers.reduce((sum, answer) => sum + hotelsIn(answer), 0) / answers.length;
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
async function measureFacets(size: string, { key, take }: Searches, server: BenchServer): Promise<void> {
  const { variables, answers } = await take(REQUESTS);
  const requestsOf = (query: string) =>
    variables.map((one, nth) => ({ nth, body: JSON.stringify({ query, variables: one }) }));
  const [plain, facets] = await alternate(
    key,
    { server, requests: requestsOf(SEARCH_PACKAGES_QUERY) },
    { server, requests: requestsOf(SEARCH_WITH_FACETS_QUERY) },
  );
  console.log(`\n${size} packages: an answer without facets has ${meanKilobytes(answers).toFixed(1)} kB`);
  print('without', plain);
  print('facets', facets);
  const ratio = (share: number) => (quantile(facets.alone, share) / quantile(plain.alone, share)).toFixed(2);
  console.log(
    `  facets take ${ratio(0.5)} times as long at the median, ${ratio(0.95)} at the 95th percentile, and ${(facets.cpu / plain.cpu).toFixed(2)} times the processor time`,
  );
}

interface Searches {
  key: string;
  /** Different searches with results, none of which has been taken before, and their answers. */
  take(count: number): Promise<{ variables: object[]; answers: Answered[] }>;
}

/** Chooses searches with results, because most random pairs of place and airport have no flights. */
async function searchesOf({ url }: BenchServer): Promise<Searches> {
  const world = { ...(await readWorld(url)), last: await lastDeparture(url) };
  const random = numbersFrom(1);
  const taken = new Set<string>();
  async function take(count: number) {
    const [variables, answers]: [object[], Answered[]] = [[], []];
    // Only four clients: with more than ten open requests, a server with a late event loop rejects some.
    const clients = openClients(`${url}/graphql`, world.key, 4);
    while (variables.length < count) {
      const drawn = Array.from({ length: 1_000 }, () => anySearch(world, random)).filter((one) => {
        const text = JSON.stringify(one);
        return !taken.has(text) && taken.add(text);
      });
      const bodies = drawn.map((one, nth) => ({
        nth,
        body: JSON.stringify({ query: BY_SCHEMA, variables: one }),
      }));
      for (const [nth, answer] of (await clients.postAll(bodies)).answers.entries()) {
        const one = drawn[nth];
        if (one === undefined || hotelsIn(answer) === 0 || variables.length === count) continue;
        variables.push(one);
        answers.push(answer);
      }
    }
    clients.close();
    return { variables, answers };
  }
  return { key: world.key, take };
}

/** Draws searches by rank with exponent 1, and numbers them in the order in which they are first drawn. */
function zipfOrder(draws: number): number[] {
  const random = numbersFrom(2);
  const sums: number[] = [];
  for (let rank = 1; rank <= SEARCHES_OF_ZIPF; rank += 1) sums.push((sums.at(-1) ?? 0) + 1 / rank);
  const numbers = new Map<number, number>();
  return Array.from({ length: draws }, () => {
    const drawn = random() * (sums.at(-1) ?? 0);
    const rank = sums.findIndex((sum) => sum > drawn);
    const number = numbers.get(rank) ?? numbers.size;
    numbers.set(rank, number);
    return number;
  });
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
  for (let start = 0; start < one.requests.length; start += BATCH) {
    await first.take(one.requests.slice(start, start + BATCH));
    await second.take(other.requests.slice(start, start + BATCH));
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
      const ofOne = batch.slice(0, batch.length / 5);
      const ofMany = batch.slice(batch.length / 5);
      alone.push(...(await single.postAll(ofOne)).answers.map((answer) => answer.ms));
      const before = await cpuSecondsOf(server);
      ms += (await many.postAll(ofMany)).tookMs;
      cpu += (await cpuSecondsOf(server)) - before;
      answered += ofMany.length;
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
  for (const path of Object.keys(PATHS)) {
    const [small, large] = results.filter((one) => one.path === path);
    if (small === undefined || large === undefined) continue;
    const ratio = (share: number) =>
      (quantile(large.skylark.alone, share) / quantile(small.skylark.alone, share)).toFixed(2);
    console.log(
      `${path}: 10 million take ${ratio(0.5)} times as long as 1 million at the median, ${ratio(0.95)} at the 95th percentile`,
    );
  }
}
