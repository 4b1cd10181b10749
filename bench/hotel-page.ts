import { join } from 'node:path';
import { addDays } from '../domain/calendar-date.ts';
import { DURATIONS } from '../domain/duration.ts';
import { hotelPath } from '../domain/hotel-path.ts';
import { commandLine } from '../server/lib/command-line.ts';
import { openDatabaseForReading } from '../server/storage/open/database.ts';
import { embeddedStore } from '../server/storage/store-address.ts';
import { numbersFrom, pickFrom } from './search/any-search.ts';
import { quantile } from './search/bytes-only.ts';
import { makeSampleStore } from './search/sample-stores.ts';
import { readWorld } from './support/read-world.ts';
import { startServer, untilIdle } from './support/start-server.ts';

const { options } = commandLine(
  `Pages of hotels, whole and over HTTP: one client, each page different, half of them from any airport. 'first' reads the store's pages from disk,
'again' asks for the same pages once more. Pages without packages are not counted.
  npm run bench:hotel -- [--data data/bench] [--millions 11] [--requests 500]`,
  { options: { data: 'data/bench', millions: 11, requests: 500 } },
);
const DAYS_AHEAD = 300;
/** Stands in a page with packages. */
const HAS_PACKAGES = 'data-holiday="';

const dataDir = join(options.data, `${options.millions}-million`);
await makeSampleStore(dataDir, options.millions * 1e6);
const { packages, hotels } = await readStore();
const server = await startServer(dataDir);
try {
  await untilIdle(server);
  const { first, airports } = await readWorld(server.url);
  const pick = pickFrom(numbersFrom(1));
  const days = Array.from({ length: DAYS_AHEAD }, (_, nth) => addDays(first, nth));
  const paths = Array.from({ length: options.requests }, () => {
    const from = pick(['', pick(airports).code]);
    const search = { from, date: pick(days), nights: String(pick(DURATIONS)) };
    return `${pick(hotels)}?${new URLSearchParams(search)}`;
  });
  console.log(`${packages} packages, ${hotels.length} hotels`);
  for (const round of ['first', 'again']) await measure(round, paths);
} finally {
  await server.stop();
}

async function readStore(): Promise<{ packages: number; hotels: string[] }> {
  const database = openDatabaseForReading(embeddedStore(dataDir));
  const [packages] = (await database.prepare('select count(*) from offer').row()) ?? [];
  const rows = await database
    .prepare(
      `select country.name, hotel.name, hotel.code from hotel join resort on resort.id = hotel.resort
       join region on region.id = resort.region join country on country.id = region.country`,
    )
    .rows();
  await database.close();
  const hotels = rows.map(([country, name, code]) => hotelPath(String(country), String(name), String(code)));
  return { packages: Number(packages), hotels };
}

async function measure(round: string, paths: readonly string[]): Promise<void> {
  const times: number[] = [];
  for (const path of paths) {
    const from = performance.now();
    const response = await fetch(server.url + path);
    const page = await response.text();
    const ms = performance.now() - from;
    if (!response.ok) throw new Error(`${path} returned status ${response.status}`);
    if (page.includes(HAS_PACKAGES)) times.push(ms);
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => quantile(times, share).toFixed(1);
  console.log(
    `${round}: ${times.length} pages with packages, p50 ${at(0.5)} p95 ${at(0.95)} most ${at(1)} ms`,
  );
}
