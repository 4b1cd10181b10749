import { statSync } from 'node:fs';
import { todayInLondon } from '../domain/calendar-date.ts';
import { commandLine } from '../server/lib/command-line.ts';
import { openDatabase } from '../server/storage/open/database.ts';
import { embeddedStore } from '../server/storage/store-address.ts';
import { importFeed, providerFolder, writeMadeUpFeed } from './feed/import-feed.ts';
import { type RealisticFeed, UNIQUE } from './feed/realistic-feed.ts';
import { WRITTEN_FORMATS, type WrittenFormat, writeFeed } from './feed/write-feed.ts';
import { addGeneratedWatches } from './support/generate-watches.ts';

const { options } = commandLine(
  `Speed and memory of imports into the embedded store, each in a process of its own, start-up included.
  npm run bench:feed -- [--packages 300000] [--watches 1000000]
  npm run bench:feed -- --rows 1000000 [--unique ${UNIQUE.join('|')}] [--format ${WRITTEN_FORMATS.join('|')}] [--seed 7]
With --rows the feed is realistic, in one format or all; without it, a small made-up feed in JSON is imported, with
watches.`,
  { options: { packages: 300_000, watches: 1_000_000, rows: 0, unique: 'nothing', format: null, seed: 7 } },
);
const today = todayInLondon(Date.now());

if (options.rows === 0) {
  for (const size of [Math.round(options.packages / 4), options.packages]) {
    await importMadeUp(size, options.watches);
  }
} else {
  const unique = UNIQUE.find((one) => one === options.unique);
  if (unique === undefined) throw new Error(`--unique takes ${UNIQUE.join(', ')}`);
  const formats = WRITTEN_FORMATS.filter((one) => options.format === null || options.format === one);
  if (formats.length === 0) throw new Error(`--format takes ${WRITTEN_FORMATS.join(', ')}`);
  const feed = { rows: options.rows, seed: options.seed, unique, today };
  for (const format of formats) await importRealistic(format, feed);
}

async function importRealistic(format: WrittenFormat, feed: RealisticFeed): Promise<void> {
  const folder = providerFolder();
  const { path, mapping } = await writeFeed(folder.path, format, feed);
  const bytes = Math.round(statSync(path).size / feed.rows);
  console.log(`\n${feed.rows} rows of ${format}, ${bytes} bytes each; nearly unique: ${feed.unique}`);
  const words = mapping === null ? [path] : [path, mapping];
  run('first import', folder.path, words, feed.rows);
  run('the same again', folder.path, words, feed.rows);
  await writeFeed(folder.path, format, { ...feed, isChanged: true });
  run('10% of prices changed', folder.path, words, feed.rows);
  folder.remove();
}

async function importMadeUp(size: number, watches: number): Promise<void> {
  const folder = providerFolder();
  const first = await writeMadeUpFeed(folder.path, 'first', { packages: size, today });
  const dearer = await writeMadeUpFeed(folder.path, 'dearer', { packages: size, today, factor: 1.02 });
  const cheaper = await writeMadeUpFeed(folder.path, 'cheaper', { packages: size, today, factor: 0.99 });
  const dropped = await writeMadeUpFeed(folder.path, 'dropped', { packages: size, today, factor: 0.9 });
  console.log(`\n${size} packages, ${Math.round(statSync(first).size / 1e6)} MB of JSON`);
  run('first import', folder.path, [first], size);
  run('the same again', folder.path, [first], size);
  run('every price changed, no watches', folder.path, [dearer], size);
  const database = await openDatabase(embeddedStore(folder.path));
  await addGeneratedWatches(database, watches);
  await database.close();
  run(`every price changed by 3%, ${watches} watches`, folder.path, [cheaper], size);
  run(`every price fallen by 9%, ${watches} watches`, folder.path, [dropped], size);
  folder.remove();
}

function run(what: string, folder: string, words: readonly string[], size: number): void {
  const { seconds, written, cpu, peakMegabytes } = importFeed(folder, words);
  const [whole, ...stages] = cpu.map((each) => Math.round((each / size) * 1e7) / 10);
  console.log(
    `${what}: ${Math.round(size / seconds)} packages a second (${seconds.toFixed(1)} s, of which ${written} s in the writing transaction), ${whole} us of CPU each (reading, comparing, writing: ${stages.join(' + ')}), peak ${peakMegabytes} MB`,
  );
}
