import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { askThreadsToCollect, pacedCollection } from './collect-garbage.ts';
import { workerProxy } from './worker-rpc.ts';

const MODULE = pathToFileURL(join(import.meta.dirname, 'collect-garbage.ts')).href;

/** Fills the space for young objects, drops them, and prints by how many megabytes the process shrinks with a collection. */
const SHRINK = `
  import { readFileSync } from 'node:fs';
  import { pacedCollection } from '${MODULE}';
  const own = () => Number(/RssAnon:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))[1]) / 1_024;
  let kept = [];
  for (let round = 0; round < 20; round += 1) {
    kept = [];
    for (let nth = 0; nth < 300_000; nth += 1) kept.push({ nth, round });
  }
  kept = [];
  const before = own();
  pacedCollection()();
  process.stdout.write(String(before - own()));`;

it.runIf(process.platform === 'linux')('gives the memory of the garbage back to the system', () => {
  const child = spawnSync(process.execPath, ['--input-type=module', '--eval', SHRINK], { encoding: 'utf8' });
  expect(child.stderr).toBe('');
  expect(Number(child.stdout)).toBeGreaterThan(20);
});

it.each([
  [2_000, 10],
  [3_000, 150],
])('collects again after %d ms if it took %d', async (rest, took) => {
  const clock = virtualClock();
  let processorMs = 0;
  let collections = 0;
  const collect = pacedCollection(
    clock,
    () => {
      collections += 1;
      processorMs += took;
    },
    () => processorMs,
  );
  expect(collect()).toBe(true);
  expect(collect()).toBe(false);
  await clock.advance(rest - 1);
  expect(collect()).toBe(false);
  await clock.advance(1);
  expect(collect()).toBe(true);
  expect(collections).toBe(2);
});

/** Counts the collections of its whole heap. */
const COUNTER = `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  import { serveWorker } from '${pathToFileURL(join(import.meta.dirname, 'worker-rpc.ts')).href}';
  let collections = 0;
  new PerformanceObserver((list) => {
    const isMajor = ({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
    collections += list.getEntries().filter(isMajor).length;
  }).observe({ entryTypes: ['gc'] });
  serveWorker(() => ({ collections: () => collections }));`;

it('is done by threads that are asked', async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'counter.ts');
  writeFileSync(file, COUNTER);
  const counter = workerProxy<{ collections(): number }>(pathToFileURL(file), null, { collections: {} });
  try {
    expect(await counter.api.collections()).toBe(0);
    askThreadsToCollect();
    await expect.poll(() => counter.api.collections(), { timeout: 5_000 }).toBeGreaterThan(0);
  } finally {
    await counter.terminate();
    folder.remove();
  }
});
