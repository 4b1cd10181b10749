import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { findOrInstallBrowser } from '../scripts/browser.ts';
import { commandOptions } from '../scripts/command-options.ts';
import { weighPage } from '../scripts/page-bytes.ts';
import { embeddedStore } from '../server/storage/store-address.ts';
import { stockMarket } from '../tests/fixtures/market.ts';
import { measureLoad } from './page/measure-load.ts';
import { measureKeystrokes, measureSearch } from './page/measure-search.ts';
import { servePage } from './page/serve-page.ts';
import { type Measure, mark, printTable } from './page/table.ts';
import { buildUsualPage } from './page/usual-page.ts';
import { generateDestinations } from './support/generate-destinations.ts';
import { startServer } from './support/start-server.ts';

const options = commandOptions(
  `Load and search times on a slow phone, for Skylark's page and a conventional one.
  npm run bench:page -- [--runs 5] [--only skylark]
docs/performance.md explains the measures. Exits with 1 if a budget is exceeded.`,
  { runs: 5, only: null },
);
const RUNS = options.runs;
const TYPED = ['benidorm', 'costa b', 'tenrife', 'malaga', 'qqq'];

execFileSync('npx', ['vite', 'build', '--logLevel', 'error'], { stdio: ['ignore', 'ignore', 'inherit'] });
const usualFolder = options.only === 'skylark' ? null : await buildUsualPage();
const dataDir = await mkdtemp(join(tmpdir(), 'skylark-bench-'));
await stockMarket(embeddedStore(dataDir));
const server = await startServer(dataDir);
const browser = await chromium.launch({ executablePath: findOrInstallBrowser(), args: ['--no-sandbox'] });
try {
  const ours = await measurePage(browser, 'dist/web', [100, 200]);
  const usual = usualFolder === null ? [] : await measurePage(browser, usualFolder, []);
  console.log('\nBytes after brotli compression');
  for (const { part, bytes, budget } of weighPage('dist/web')) {
    ours.push({ name: part, unit: 'kB', values: [bytes], budget });
  }
  printTable(ours, usual);
  const [load] = loadavg();
  console.log(`\n${RUNS} runs; load average ${load?.toFixed(1)} at the end, including the benchmark itself.`);
  if (ours.some((measure) => mark(measure) === 'OVER')) process.exitCode = 1;
} finally {
  await browser.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function measurePage(
  browser: Browser,
  folder: string,
  keystroke: readonly number[],
): Promise<Measure[]> {
  const asIs = await served(folder, readFileSync('assets/locations.csv', 'utf8'));
  const loads = await repeat(RUNS, () => measureLoad(browser, asIs.address));
  const searches = await repeat(RUNS, () => measureSearch(browser, asIs.address));
  await asIs.close();
  console.log(
    `${folder}: largest paint ${[...new Set(loads.map(({ largestElement }) => largestElement))].join(', ')}`,
  );
  const measures: Measure[] = [
    { name: 'First paint', unit: 'ms', values: loads.map(({ firstPaint }) => firstPaint) },
    {
      name: 'Largest paint',
      unit: 'ms',
      values: loads.map(({ largestPaint }) => largestPaint),
      budget: 1_500,
    },
    { name: 'Blocking time of the load', unit: 'ms', values: loads.map(({ blocking }) => blocking) },
    {
      name: 'Longest task of the load',
      unit: 'ms',
      values: loads.map((each) => each.longestTask),
      worst: 200,
    },
    {
      name: 'Layout shift of the load',
      unit: '',
      values: loads.map((each) => each.layoutShift),
      worst: 0.02,
    },
    { name: 'JavaScript over the wire', unit: 'kB', values: loads.map(({ scriptBytes }) => scriptBytes) },
    {
      name: 'Answer to ten painted cards',
      unit: 'ms',
      values: searches.map((each) => each.answerToCards),
      budget: 200,
    },
    {
      name: 'Longest task of a search',
      unit: 'ms',
      values: searches.map((each) => each.longestTask),
      worst: 200,
    },
    {
      name: 'Layout shift of load and search',
      unit: '',
      values: searches.map((each) => each.layoutShift),
      worst: 0.02,
    },
  ];
  for (const size of [5_000, 50_000]) {
    const listed = await served(folder, csvOf(size));
    const keystrokes = await measureKeystrokes(browser, listed.address, TYPED);
    await listed.close();
    const [budget, worst] = keystroke;
    measures.push({
      name: `Keystroke to painted list, ${size.toLocaleString('en-GB')}`,
      unit: 'ms',
      values: keystrokes.map(({ ms }) => ms),
      ...(budget === undefined ? {} : { budget }),
      ...(worst === undefined ? {} : { worst }),
    });
  }
  return measures;
}

async function served(folder: string, locations: string) {
  const config = {
    searchEndpoint: `${server.address}/graphql`,
    searchApiKey: 'skylark-public',
    brandCode: 'SKY',
    brandName: 'Skylark',
    locationsUrl: '/data/locations.csv',
    departureAirportsUrl: '/data/departure-airports.csv',
  };
  return servePage(join(import.meta.dirname, '..', folder.replace(join(import.meta.dirname, '..'), '')), {
    '/config.json': { type: 'application/json', text: JSON.stringify(config) },
    '/data/locations.csv': { type: 'text/csv', text: locations },
    '/data/departure-airports.csv': {
      type: 'text/csv',
      text: readFileSync('assets/departure-airports.csv', 'utf8'),
    },
  });
}

function csvOf(size: number): string {
  const rows = generateDestinations(size).map(
    ({ country, region, resort }) => `${country},${region},${resort}`,
  );
  return ['country,region,resort', ...rows].join('\n');
}

async function repeat<T>(times: number, measure: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let run = 0; run < times; run += 1) results.push(await measure());
  return results;
}
