import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { feedItem, ndjson } from '../fixtures/feed-site.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const COMMAND = join(import.meta.dirname, '../../server/cli/feed.ts');
const PROVIDERS = [{ code: 'SUNW', name: 'Sunward', linkHosts: ['www.sunward.example'] }];

let folder: ReturnType<typeof temporaryFolder>;
let dataDir: string;
let temporary: string;
beforeEach(() => {
  folder = temporaryFolder();
  dataDir = join(folder.path, 'data');
  temporary = join(folder.path, 'tmp');
  for (const path of [dataDir, temporary]) mkdirSync(path);
  writeFileSync(join(dataDir, 'providers.json'), JSON.stringify({ providers: PROVIDERS }));
});
afterEach(() => folder.remove());

/** Runs the feed command in its own process, as an operator does. */
function feedProcess(...words: string[]) {
  return spawn(process.execPath, [COMMAND, ...words], {
    env: { PATH: process.env.PATH, TMPDIR: temporary, DATA_DIR: dataDir, SAMPLE_INVENTORY: 'off' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

it('deletes, at the next import, the copy of the feed piped to a killed import', async () => {
  const feed = ndjson([feedItem({ DepartureDate: undefined })]);
  const held = join(dataDir, 'feeds/SUNW/1.feed');
  const size = () => statSync(held, { throwIfNoEntry: false })?.size ?? 0;
  const killed = feedProcess('import', '-');
  killed.stdin.write(feed);
  await expect.poll(size, { timeout: 20_000 }).toBeGreaterThan(0);
  const ended = once(killed, 'exit');
  killed.kill('SIGKILL');
  await ended;
  expect(existsSync(held)).toBe(true);
  expect(readdirSync(temporary)).toEqual([]);

  const file = join(folder.path, 'feed.ndjson');
  writeFileSync(file, feed);
  const next = feedProcess('import', file);
  const [said] = await Promise.all([text(next.stdout), once(next, 'close')]);
  expect(said).toContain('1 row');
  expect(readdirSync(dataDir).filter((name) => name.startsWith('feed-s'))).toEqual([]);
  expect(readdirSync(join(dataDir, 'feeds/SUNW'))).toEqual([]);
  expect(readdirSync(temporary)).toEqual([]);
});
