import { spawnSync } from 'node:child_process';
import { createWriteStream, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { todayInLondon } from '../domain/calendar-date.ts';
import { batchesOf } from '../server/feed/write/batches-of.ts';
import { openDatabase } from '../server/storage/open-database.ts';
import { embeddedStore } from '../server/storage/store-address.ts';
import { type MadeUpFeed, madeUpItems } from '../tests/fixtures/made-up-feed.ts';
import { temporaryFolder } from '../tests/fixtures/temporary-folder.ts';
import { addMadeUpWatches } from './made-up-watches.ts';

// How quickly a feed is imported, and in how much memory: npm run bench:feed -- [packages] [watches]
// Each import is the feed command in a process of its own, its start included, from a file of items in JSON, into the embedded store.
const packages = Number(process.argv[2] ?? 300_000);
const watches = Number(process.argv[3] ?? 1_000_000);
const today = todayInLondon(Date.now());
const COMMAND = join(import.meta.dirname, 'feed/run-command.ts');

for (const size of [Math.round(packages / 4), packages]) {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder.path, 'providers.json'),
    JSON.stringify({ providers: [{ code: 'MADE', name: 'Made up', linkHosts: ['www.made.example'] }] }),
  );
  const first = await write(folder.path, 'first', { packages: size, today });
  const dearer = await write(folder.path, 'dearer', { packages: size, today, factor: 1.02 });
  const cheaper = await write(folder.path, 'cheaper', { packages: size, today, factor: 0.99 });
  const dropped = await write(folder.path, 'dropped', { packages: size, today, factor: 0.9 });
  console.log(`\n${size} packages, ${Math.round(statSync(first).size / 1e6)} MB of JSON`);
  run('first import', folder.path, first, size);
  run('the same again', folder.path, first, size);
  run('every price changed, nobody watching', folder.path, dearer, size);
  const database = openDatabase(embeddedStore(folder.path));
  addMadeUpWatches(database, watches);
  database.close();
  run(`every price changed by 3%, ${watches} watches`, folder.path, cheaper, size);
  run(`every price fallen by 9%, ${watches} watches`, folder.path, dropped, size);
  folder.remove();
}

async function write(folder: string, name: string, feed: MadeUpFeed): Promise<string> {
  const path = join(folder, `${name}.ndjson`);
  function* lines(): Generator<string> {
    for (const items of batchesOf(madeUpItems(feed), 500)) {
      yield items.map((item) => `${JSON.stringify(item)}\n`).join('');
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(path));
  return path;
}

function run(what: string, folder: string, feed: string, size: number): void {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, feed], {
    env: { ...process.env, DATA_DIR: folder, SAMPLE_INVENTORY: 'off' },
    encoding: 'utf8',
  });
  const seconds = (performance.now() - started) / 1000;
  if (status !== 0) throw new Error(`${stdout}\n${stderr}`);
  const cpu = Number(/CPU ([\d.]+) s/.exec(stdout)?.[1]);
  const memory = /peak (\d+) MB/.exec(stdout)?.[1] ?? '?';
  const writing = /written in ([\d.]+) s/.exec(stdout)?.[1];
  const lock = writing === undefined ? '' : `, of which ${writing} s in the writing transaction`;
  console.log(
    `${what}: ${Math.round(size / seconds)} packages a second (${seconds.toFixed(1)} s${lock}), ${Math.round((cpu / size) * 1e6)} us of CPU each, peak ${memory} MB`,
  );
}
