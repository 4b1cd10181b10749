import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { pacedCollection } from './collect-garbage.ts';

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
