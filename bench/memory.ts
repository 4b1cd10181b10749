import { setTimeout } from 'node:timers/promises';
import { parseAirports } from '../domain/airport.ts';
import { addDays, todayInLondon } from '../domain/calendar-date.ts';
import { parseDestinations } from '../domain/destination.ts';
import { SEARCH_PACKAGES_QUERY } from '../domain/search-query.ts';
import { commandOptions } from '../scripts/command-options.ts';
import { temporaryFolder } from '../tests/fixtures/temporary-folder.ts';
import { attack } from './memory/attack.ts';
import { type Bait, hostileSequences } from './memory/sequences.ts';
import { anySearch, numbersFrom } from './search/any-search.ts';
import { makeSampleStore } from './search/sample-stores.ts';
import { forgetPeak, memoryOf } from './support/process-memory.ts';
import { type BenchServer, startSkylark } from './support/start-server.ts';

const options = commandOptions(
  `The memory of a server under hostile requests, by the sequence of requests. Linux only.
  npm run bench:memory -- [--data data/bench/1-million] [--packages 1000000] [--connections 1000] [--seconds 5]
    [--only part-of-a-name|of-another] [--proxied] [--fresh]
--proxied: each request names another address, as behind a proxy that the server trusts.
--fresh: the server starts on an empty folder, and loads the sample before.
Exits with 1 if the server takes more than 1 GB, or does not answer afterwards.`,
  {
    data: 'data/bench/1-million',
    packages: 1_000_000,
    connections: 1_000,
    seconds: 5,
    only: '',
    proxied: false,
    fresh: false,
  },
);

const MOST_BYTES = 1_000_000_000;

const folder = options.fresh ? temporaryFolder() : null;
const dataDir = folder?.path ?? options.data;

/**
 * Requests from loopback are exempt from REQUEST_LIMIT, and those of a new address each are within it, so nothing here is
 * refused by its number.
 */
const SETTINGS = {
  DATA_DIR: dataDir,
  SAMPLE_INVENTORY: options.fresh ? 'on' : 'off',
  ...(options.proxied ? { TRUST_PROXY: 'loopback' } : {}),
  LOG_LEVEL: 'error',
  ALERT_PROVIDER: 'meta',
  META_API_URL: 'http://127.0.0.1:9',
  META_PHONE_NUMBER_ID: '1',
  META_TOKEN: 'a token for the benchmark',
  META_APP_SECRET: 'a secret for the benchmark',
  META_VERIFY_TOKEN: 'a word for the benchmark',
  ALERT_LIMIT_ADDRESS: '0',
};

if (!options.fresh) await makeSampleStore(dataDir, options.packages);
const server = await startSkylark(SETTINGS);
const results: { sequence: string; peakMB: number; afterMB: number; answers: string; nextMs: number }[] = [];
try {
  if (options.fresh) await untilLoaded(server);
  const bait = await baitOf(server);
  const sequences = hostileSequences(bait).filter(({ name }) =>
    options.only.split('|').some((part) => name.includes(part)),
  );
  console.log(`${sequences.length} sequences, at rest ${megabytes(memoryOf(server.pid).now)} MB`);
  for (const sequence of sequences) {
    forgetPeak(server.pid);
    const answers = await attack(sequence, {
      port: Number(new URL(server.address).port),
      connections: sequence.connections ?? options.connections,
      ms: options.seconds * 1_000,
      isProxied: options.proxied,
    });
    const nextMs = await timeToAnswer(server, bait);
    const { peak, now } = memoryOf(server.pid);
    results.push({
      sequence: sequence.name,
      peakMB: megabytes(peak),
      afterMB: megabytes(now),
      answers: [...answers].map(([status, count]) => `${count} x ${status}`).join(', '),
      nextMs,
    });
    const last = results.at(-1);
    console.log(
      `${last?.peakMB} MB  ${sequence.name}  (${last?.answers || 'no answers'}; next search ${nextMs} ms)`,
    );
  }
} finally {
  await server.stop();
  folder?.remove();
}
console.table(results.toSorted((one, other) => other.peakMB - one.peakMB));
if (results.some(({ peakMB }) => peakMB * 1e6 > MOST_BYTES)) {
  console.error(`Over ${megabytes(MOST_BYTES)} MB.`);
  process.exitCode = 1;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}

/** Waits until the sample is loaded. */
async function untilLoaded({ address }: BenchServer): Promise<void> {
  console.log('Loading the sample...');
  for (;;) {
    const metrics = await (await fetch(`${address}/metrics`)).text();
    if (/^skylark_inventory_loading 0$/m.test(metrics)) return;
    await setTimeout(1_000);
  }
}

/** Milliseconds until a search is answered with 200. */
async function timeToAnswer({ address }: BenchServer, { searchApiKey, search }: Bait): Promise<number> {
  const started = performance.now();
  for (;;) {
    const answer = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': searchApiKey },
      body: search,
      signal: AbortSignal.timeout(60_000),
    }).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return Math.round(performance.now() - started);
    if (performance.now() - started > 60_000) throw new Error('The server does not answer any more');
  }
}

/** The largest response of fifty searches, and a package from it. */
async function baitOf({ address }: BenchServer): Promise<Bait> {
  const text = async (path: string) => (await fetch(address + path)).text();
  const { searchApiKey, brandCode } = JSON.parse(await text('/config.json')) as {
    searchApiKey: string;
    brandCode: string;
  };
  const first = addDays(todayInLondon(Date.now()), 1);
  const world = {
    destinations: parseDestinations(await text('/data/locations.csv')),
    airports: parseAirports(await text('/data/departure-airports.csv')),
    brand: brandCode,
    first,
    last: addDays(first, 20),
  };
  const random = numbersFrom(1);
  let best = { search: '', answer: '' };
  for (let nth = 0; nth < 50; nth += 1) {
    const search = JSON.stringify({ query: SEARCH_PACKAGES_QUERY, variables: anySearch(world, random) });
    const response = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': searchApiKey },
      body: search,
    });
    const answer = await response.text();
    if (answer.length > best.answer.length) best = { search, answer };
  }
  const itemKey = /"ItemKey":"([^"]+)"/.exec(best.answer)?.[1];
  if (itemKey === undefined) throw new Error('No search found a package');
  console.log(`A search has a response of ${Math.round(best.answer.length / 1_000)} kB.`);
  return { searchApiKey, search: best.search, itemKey };
}
