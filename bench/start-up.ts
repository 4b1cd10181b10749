import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { addDays } from '../domain/calendar-date.ts';
import { SEARCH_PACKAGES_QUERY } from '../domain/search-query.ts';
import { commandLine } from '../server/lib/command-line.ts';
import { temporaryFolder } from '../tests/fixtures/temporary-folder.ts';
import { makeSampleStore } from './search/sample-stores.ts';
import { readWorld, type World } from './support/read-world.ts';
import { type BenchServer, startSkylark } from './support/start-server.ts';

const { options } = commandLine(
  `Time from process start to readiness and to the first results, on an empty folder and on 10 million packages.
  npm run bench:start -- [--data data/bench] [--runs 5]`,
  { options: { data: 'data/bench', runs: 5 } },
);
const RUNS = options.runs;
const LOADED = join(options.data, '10-million');

await makeSampleStore(LOADED, 10_000_000);
await report('empty folder, sample loading', async () => {
  const folder = temporaryFolder();
  try {
    return await measure({ DATA_DIR: folder.path, SAMPLE_INVENTORY: 'on' });
  } finally {
    folder.remove();
  }
});
await report('10 million packages', () => measure({ DATA_DIR: LOADED }));

interface Started {
  /** Milliseconds until /readyz succeeds, and until a search finds something. */
  ready: number;
  found: number;
}

async function measure(settings: Record<string, string>): Promise<Started> {
  const start = performance.now();
  const server = await startSkylark(settings);
  try {
    await until(async () => (await fetch(`${server.url}/readyz`)).ok);
    const ready = performance.now() - start;
    const world = await readWorld(server.url);
    await until(() => finds(server, world));
    return { ready, found: performance.now() - start };
  } finally {
    await server.stop();
  }
}

/** Whether a search for a week in Spain from London, departing tomorrow, finds something. */
async function finds({ url }: BenchServer, { key, brand, first: startDate }: World): Promise<boolean> {
  const filters = {
    brand,
    startDate,
    endDate: addDays(startDate, 7),
    departureAirports: ['LGW', 'LTN', 'STN'],
    duration: 7,
    country: 'Spain',
  };
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ query: SEARCH_PACKAGES_QUERY, variables: { filters, limit: 100 } }),
  });
  return ((await response.text()).match(/"ItemKey"/g) ?? []).length > 0;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(5);
}

async function report(what: string, run: () => Promise<Started>): Promise<void> {
  const runs: Started[] = [];
  for (let nth = 0; nth < RUNS; nth += 1) runs.push(await run());
  const line = (name: keyof Started) => {
    const sorted = runs.map((one) => one[name]).toSorted((a, b) => a - b);
    return `${sorted[Math.floor(RUNS / 2)]?.toFixed(0)} ms (worst ${sorted.at(-1)?.toFixed(0)})`;
  };
  console.log(`${what}: ready after ${line('ready')}, first results after ${line('found')}`);
}
