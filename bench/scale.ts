import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addDays } from '../domain/calendar-date.ts';
import { commandLine } from '../server/lib/command-line.ts';
import { databasePath, openDatabaseForReading } from '../server/storage/open/database.ts';
import { embeddedStore } from '../server/storage/store-address.ts';
import { fillStore, hasStore, multiplyOffers, type StoreProgress } from './scale/multiplied-store.ts';
import { anyRequest, SEARCH_KINDS, type SearchedWorld, type SearchKind } from './scale/requests.ts';
import { numbersFrom } from './search/any-search.ts';
import { quantile, withBytesOnly } from './search/bytes-only.ts';
import { type Answered, dataOf, meanKilobytes, openClients, type Posted } from './search/post-searches.ts';
import { makeSampleStore } from './search/sample-stores.ts';
import { readWorld } from './support/read-world.ts';
import { type BenchServer, startServer, untilIdle } from './support/start-server.ts';

const { options } = commandLine(
  `Questions over days and months to stores of different sizes, over HTTP with whole answers, next to a plain node:http
server that sends the same bytes. Sizes are multiples of the sample's 10 million packages; stores are made once.
  npm run bench:scale -- [--millions 10,100] [--data <temporary folder>] [--requests 200]`,
  { options: { millions: '10,100', data: join(tmpdir(), 'skylark-bench-scale'), requests: 200 } },
);
const SIZES = options.millions.split(',').map(Number);
const EACH = options.requests;
const SAMPLE_MILLIONS = 10;

interface Measured {
  kind: SearchKind;
  millions: number;
  ours: number[];
  bytes: number[];
}

const results: Measured[] = [];
for (const millions of SIZES) await makeStore(millions, await sampleStore());
for (const millions of SIZES) results.push(...(await measureStore(millions)));
summarise();

function folderOf(millions: number): string {
  return join(options.data, `${millions}-million`);
}

async function sampleStore(): Promise<string> {
  const folder = folderOf(SAMPLE_MILLIONS);
  await makeSampleStore(folder, SAMPLE_MILLIONS * 1_000_000);
  return folder;
}

async function makeStore(millions: number, sample: string): Promise<void> {
  const folder = folderOf(millions);
  let reportedAt = performance.now();
  const report = ({ done, of, what }: StoreProgress) => {
    if (performance.now() - reportedAt < 10_000) return;
    reportedAt = performance.now();
    const left = ((reportedAt - startedAt) * (of - done)) / done / 1_000;
    console.log(`  ${done} of ${of} ${what}, ${left.toFixed(0)} s left`);
  };
  let startedAt = performance.now();
  if (!hasStore(folder)) {
    const offers = multiplyOffers(sample, folder, Math.round(millions / SAMPLE_MILLIONS), report);
    const seconds = (performance.now() - startedAt) / 1_000;
    console.log(
      `${millions} million: ${offers} packages in ${seconds.toFixed(0)} s, ${(offers / seconds).toFixed(0)} a second`,
    );
  }
  startedAt = performance.now();
  await fillStore(folder, report);
  const seconds = (performance.now() - startedAt) / 1_000;
  if (seconds > 1) console.log(`${millions} million: prices by day in ${seconds.toFixed(0)} s`);
}

async function measureStore(millions: number): Promise<Measured[]> {
  const folder = folderOf(millions);
  const gigabytes = statSync(databasePath(folder)).size / 1e9;
  console.log(`\n${millions} million packages: ${gigabytes.toFixed(2)} GB in all`);
  const world = await worldOf(folder);
  const skylark = await startServer(folder);
  try {
    await untilIdle(skylark);
    const { key, ...read } = await readWorld(skylark.url);
    const searched = { ...read, ...world };
    const measured: Measured[] = [];
    for (const kind of SEARCH_KINDS) {
      measured.push({ kind, millions, ...(await measure(kind, searched, skylark, key)) });
    }
    return measured;
  } finally {
    await skylark.stop();
  }
}

/** A store's departure airports, and its last departure day. */
async function worldOf(dataDir: string): Promise<Pick<SearchedWorld, 'airports' | 'last'>> {
  const database = openDatabaseForReading(embeddedStore(dataDir));
  const [last] = (await database.prepare('select max(departure_day) from offer').row()) ?? [];
  const codes = await database
    .prepare('select code from airport where id in (select distinct airport from price_block) order by code')
    .rows();
  await database.close();
  return {
    airports: codes.map(([code]) => String(code)),
    last: addDays('1970-01-01', Number(last)),
  };
}

async function measure(
  kind: SearchKind,
  world: SearchedWorld,
  skylark: BenchServer,
  key: string,
): Promise<Pick<Measured, 'ours' | 'bytes'>> {
  const random = numbersFrom(1 + SEARCH_KINDS.indexOf(kind));
  const bodies = Array.from({ length: EACH * 4 }, () => anyRequest(kind, world, random));
  const single = openClients(`${skylark.url}/graphql`, key, 1);
  const kept: Posted[] = [];
  const answers: Answered[] = [];
  for (const body of bodies) {
    if (kept.length === EACH) break;
    const [answer] = (await single.postAll([{ nth: 0, body }])).answers;
    if (answer === undefined || isEmpty(answer)) continue;
    kept.push({ nth: kept.length, body });
    answers.push(answer);
  }
  // The first round reads the store's pages from disk. Only the second is measured.
  const ours = await timesOf(skylark, kept, key);
  single.close();
  const bytes = await withBytesOnly(answers, async (server) => {
    await timesOf(server, kept, key);
    return timesOf(server, kept, key);
  });
  const measured = { ours, bytes };
  const kilobytes = meanKilobytes(answers);
  console.log(
    `  ${kind.padEnd(20)} p50 ${at(measured.ours, 0.5)} p95 ${at(measured.ours, 0.95)} most ${at(measured.ours, 1)} ms | bytes only p50 ${at(measured.bytes, 0.5)} p95 ${at(measured.bytes, 0.95)} ms | ${kept.length} requests, ${kilobytes.toFixed(1)} kB`,
  );
  return measured;
}

/** How long each request of a single client takes, in milliseconds, sorted. */
async function timesOf({ url }: BenchServer, kept: readonly Posted[], key: string): Promise<number[]> {
  const single = openClients(`${url}/graphql`, key, 1);
  const { answers } = await single.postAll(kept);
  single.close();
  return answers.map(({ ms }) => ms).sort((one, other) => one - other);
}

function isEmpty(answer: Answered): boolean {
  const found = dataOf<unknown[] | { totalReturned: number }>(answer);
  return Array.isArray(found) ? found.length === 0 : found.totalReturned === 0;
}

function summarise(): void {
  const [small, large] = [SIZES[0], SIZES.at(-1)];
  if (small === large) return;
  console.log(`\nFrom ${small} to ${large} million packages:`);
  for (const kind of SEARCH_KINDS) {
    const of = (millions?: number) => results.find((one) => one.kind === kind && one.millions === millions);
    const ratio = (share: number) =>
      (quantile(of(large)?.ours ?? [], share) / quantile(of(small)?.ours ?? [], share)).toFixed(2);
    console.log(`  ${kind.padEnd(20)} ${ratio(0.5)} times at the median, ${ratio(0.95)} at p95`);
  }
}

function at(sorted: readonly number[], share: number): string {
  return quantile(sorted, share).toFixed(1).padStart(6);
}
