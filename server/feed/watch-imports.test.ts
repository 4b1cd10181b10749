import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { watchImports } from './watch-imports.ts';

it('reports each import after the first poll once, and survives a store that cannot be read', async () => {
  let latest: string | null = '1';
  let isSilent = false;
  let told = 0;
  let looks = 0;
  const repository = {
    async readNote() {
      looks += 1;
      if (isSilent) throw new Error('No answer');
      return latest;
    },
  };
  const watch = watchImports(
    repository,
    async () => {
      told += 1;
    },
    5,
  );
  const nextLooks = async () => {
    const wanted = looks + 3;
    while (looks < wanted) await sleep(2);
  };
  await nextLooks();
  expect(told).toBe(0);
  latest = '2';
  await nextLooks();
  expect(told).toBe(1);
  isSilent = true;
  await nextLooks();
  latest = '3';
  isSilent = false;
  await nextLooks();
  expect(told).toBe(2);
  watch.stop();
});
