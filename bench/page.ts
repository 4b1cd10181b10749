import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { findOrInstallBrowser } from '../scripts/browser.ts';
import { weighPage } from '../scripts/page-bytes.ts';
import { commandLine } from '../server/lib/command-line.ts';
import { embeddedStore } from '../server/storage/store-address.ts';
import { stockMarket } from '../tests/fixtures/market.ts';
import { generateDestinations } from './page/generate-destinations.ts';
import { type Load, measureLoad } from './page/measure-load.ts';
import { measureKeystrokes, measureSearch, type Search } from './page/measure-search.ts';
import { servePage } from './page/serve-page.ts';
import { type Measure, mark, printTable } from './page/table.ts';
import { startServer } from './support/start-server.ts';

const { options } = commandLine(
  `Load and search times of the page on a slow phone.
  npm run bench:page -- [--runs 5]
docs/performance.md explains the measures. Exits with 1 if a budget is exceeded.`,
  { options: { runs: 5 } },
);
const RUNS = options.runs;
const BUILT = 'dist/web';
const TYPED = ['benidorm', 'costa b', 'tenrife', 'malaga', 'qqq'];

type NumberKey<T> = { [Key in keyof T]: T[Key] extends number ? Key : never }[keyof T];

execFileSync('npx', ['vite', 'build', '--logLevel', 'error'], { stdio: ['ignore', 'ignore', 'inherit'] });
const dataDir = await mkdtemp(join(tmpdir(), 'skylark-bench-'));
await stockMarket(embeddedStore(dataDir));
const server = await startServer(dataDir);
const browser = await chromium.launch({ executablePath: findOrInstallBrowser(), args: ['--no-sandbox'] });
try {
  const measures = await measurePage(browser);
  for (const { part, bytes, budget } of weighPage(BUILT)) {
    measures.push({ name: part, unit: 'kB', values: [bytes], budget });
  }
  printTable(measures);
  const [load] = loadavg();
  console.log(`\n${RUNS} runs; load average ${load?.toFixed(1)} at the end, including the benchmark itself.`);
  if (measures.some((measure) => mark(measure) === 'OVER')) process.exitCode = 1;
} finally {
  await browser.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function measurePage(browser: Browser): Promise<Measure[]> {
  const asIs = await served(readFileSync('assets/locations.csv', 'utf8'));
  const loads = await repeat(RUNS, () => measureLoad(browser, asIs.url));
  const searches = await repeat(RUNS, () => measureSearch(browser, asIs.url));
  await asIs.close();
  console.log(`Largest paint: ${[...new Set(loads.map(({ largestElement }) => largestElement))].join(', ')}`);
  const ofLoad = (key: NumberKey<Load>) => loads.map((load) => load[key]);
  const ofSearch = (key: NumberKey<Search>) => searches.map((search) => search[key]);
  const measures: Measure[] = [
    { name: 'First paint', unit: 'ms', values: ofLoad('firstPaint') },
    { name: 'Largest paint', unit: 'ms', values: ofLoad('largestPaint'), budget: 1_500 },
    { name: 'Blocking time of the load', unit: 'ms', values: ofLoad('blocking') },
    { name: 'Longest task of the load', unit: 'ms', values: ofLoad('longestTask'), worst: 200 },
    { name: 'Layout shift of the load', unit: '', values: ofLoad('layoutShift'), worst: 0.02 },
    { name: 'JavaScript over the wire', unit: 'kB', values: ofLoad('scriptBytes') },
    { name: 'Response to ten painted cards', unit: 'ms', values: ofSearch('answerToCards'), budget: 200 },
    { name: 'Response to three painted cards', unit: 'ms', values: ofSearch('answerToFirst') },
    { name: 'Script of another order', unit: 'ms', values: ofSearch('sortScript'), budget: 50 },
    { name: 'Interaction to next paint', unit: 'ms', values: ofSearch('interaction'), worst: 200 },
    { name: 'Longest task of a search', unit: 'ms', values: ofSearch('longestTask'), worst: 200 },
    { name: 'Layout shift of load and search', unit: '', values: ofSearch('layoutShift'), worst: 0.02 },
  ];
  for (const size of [5_000, 50_000]) {
    const listed = await served(csvOf(size));
    const values = await measureKeystrokes(browser, listed.url, TYPED);
    await listed.close();
    const name = `Keystroke to painted list, ${size.toLocaleString('en-GB')}`;
    measures.push({ name, unit: 'ms', values, budget: 100, worst: 200 });
  }
  return measures;
}

async function served(locations: string) {
  const config = {
    searchEndpoint: `${server.url}/graphql`,
    searchApiKey: 'skylark-public',
    brandCode: 'SKY',
    brandName: 'Skylark',
    locationsUrl: '/data/locations.csv',
    departureAirportsUrl: '/data/departure-airports.csv',
  };
  const airports = readFileSync('assets/departure-airports.csv', 'utf8');
  return servePage(resolve(BUILT), {
    '/config.json': { type: 'application/json', text: JSON.stringify(config) },
    '/data/locations.csv': { type: 'text/csv', text: locations },
    '/data/departure-airports.csv': { type: 'text/csv', text: airports },
  });
}

function csvOf(size: number): string {
  const rows = generateDestinations(size).map((names) => names.join(','));
  return ['country,region,resort', ...rows].join('\n');
}

async function repeat<T>(times: number, measure: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let run = 0; run < times; run += 1) results.push(await measure());
  return results;
}
