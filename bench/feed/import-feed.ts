import { spawnSync } from 'node:child_process';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { batchesOf } from '../../server/lib/batches.ts';
import { type MadeUpFeed, madeUpItems } from '../../tests/fixtures/made-up-feed.ts';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';

const COMMAND = join(import.meta.dirname, 'run-command.ts');

/** Makes a data folder that has the provider of the benchmarks' feeds. */
export function providerFolder() {
  const folder = temporaryFolder();
  const providers = [{ code: 'MADE', name: 'Made up', linkHosts: ['www.made.example'] }];
  writeFileSync(join(folder.path, 'providers.json'), JSON.stringify({ providers }));
  return folder;
}

/** Writes a made-up feed as lines of JSON, and returns its path. */
export async function writeMadeUpFeed(folder: string, name: string, feed: MadeUpFeed): Promise<string> {
  const path = join(folder, `${name}.ndjson`);
  function* lines(): Generator<string> {
    for (const items of batchesOf(madeUpItems(feed), 500)) {
      yield items.map((item) => `${JSON.stringify(item)}\n`).join('');
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(path));
  return path;
}

/** The measurements of an import in its own process. */
interface Import {
  /** Seconds, including the start of the process. */
  seconds: number;
  read: number;
  compared: number;
  written: number;
  /** Processor seconds: in total, and for reading, comparing and writing. */
  cpu: readonly number[];
  peakMegabytes: number;
}

/** Imports a feed into the folder's store, or the one in `settings`. `words`: the feed, then its mapping if any. */
export function importFeed(
  folder: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Import {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...words], {
    env: { ...process.env, DATA_DIR: folder, SAMPLE_INVENTORY: 'off', ...settings },
    encoding: 'utf8',
  });
  const seconds = (performance.now() - started) / 1_000;
  if (status !== 0) throw new Error(`${stdout}\n${stderr}`);
  const numbers = (pattern: RegExp) => pattern.exec(stdout)?.slice(1).map(Number) ?? [];
  const [read = 0, compared = 0, written = 0] = numbers(
    /Read in ([\d.]+) s, compared in ([\d.]+) s, written in ([\d.]+) s/,
  );
  const cpu = numbers(/CPU ([\d.]+) s: ([\d.]+) \+ ([\d.]+) \+ ([\d.]+)/);
  const [peakMegabytes = 0] = numbers(/peak (\d+) MB/);
  return { seconds, read, compared, written, cpu, peakMegabytes };
}
