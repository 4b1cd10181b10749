import { expect, it } from 'vitest';
import { virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { watchImports } from './watch-imports.ts';

it('reports each change after the first poll once, and survives a store that cannot be read', async () => {
  let latest: string | null = '1';
  let isSilent = false;
  let told = 0;
  const clock = virtualClock();
  const repository = {
    async readNote() {
      if (isSilent) throw new Error('No answer');
      return latest;
    },
  };
  const watch = watchImports(
    repository,
    async () => {
      told += 1;
    },
    clock,
  );
  const pass = async () => {
    await clock.advance(0);
    await clock.advance(180_000);
    return told;
  };
  expect(await pass()).toBe(0);
  latest = '2';
  expect(await pass()).toBe(1);
  isSilent = true;
  await pass();
  latest = '3';
  isSilent = false;
  expect(await pass()).toBe(2);
  // The last packages were withdrawn.
  latest = null;
  expect(await pass()).toBe(3);
  watch.stop();
  expect(clock.pending).toBe(0);
});
