import './command-output.ts';
import { setTimeout } from 'node:timers/promises';
import { dayNumber, fromDayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import { parseConfig } from '../config.ts';
import { openInventoryWriter } from '../ingest/open-inventory-writer.ts';
import { commandLine } from '../lib/command-line.ts';
import { marketSimulation } from '../sample/market-simulation.ts';
import { sampleMarket } from '../sample/sample-market.ts';
import { openDatabaseForReading } from '../storage/open/database.ts';
import { loadInstalledSettings, requireStore } from './command-store.ts';

const USAGE = `npm run market -- [market days per hour, default 1]
  moves the sample's prices while a server runs, with price history and alerts, until Ctrl-C`;

const { words } = commandLine(USAGE, { maxWords: 1 });
const daysPerHour = Number(words[0] ?? 1);
loadInstalledSettings();
const parsed = parseConfig(process.env);
if (parsed.kind === 'refused' || !(daysPerHour > 0 && daysPerHour <= 10_000)) {
  console.error(
    parsed.kind === 'refused' ? parsed.message : 'Give the market days per hour as a number up to 10000.',
  );
  process.exit(1);
}

const { store, sampleSeed } = parsed.config;
if (!(await requireStore(store))) process.exit(1);
const writer = await openInventoryWriter(store);
const database = openDatabaseForReading(store);
const today = dayNumber(todayInLondon(Date.now()));
const market = await marketSimulation(database, writer, sampleMarket(sampleSeed), today);
const pauseMs = 3_600_000 / (daysPerHour * market.steps);

let stopping = false;
process.once('SIGINT', () => {
  stopping = true;
});
process.once('SIGTERM', () => {
  stopping = true;
});

let changed = 0;
let loggedAt = performance.now();
let due = performance.now();
while (!stopping) {
  changed += await market.step(Math.floor(Date.now() / 60_000));
  if (performance.now() - loggedAt > 10_000) {
    const { day, done } = market.position();
    const share = Math.round((done / market.steps) * 100);
    console.log(`Market day ${fromDayNumber(day)}, ${share}%: ${changed} prices changed`);
    loggedAt = performance.now();
  }
  due = Math.max(due + pauseMs, performance.now() - 1_000);
  await setTimeout(Math.max(1, due - performance.now()));
}
await database.close();
await writer.close();
