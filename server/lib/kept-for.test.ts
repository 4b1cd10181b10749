import { expect, it } from 'vitest';
import { keptFor } from './kept-for.ts';

/** Reads that end when they are told to. */
function reads() {
  let clock = 0;
  const open: PromiseWithResolvers<number>[] = [];
  const read = keptFor(
    1_000,
    () => {
      const reading = Promise.withResolvers<number>();
      open.push(reading);
      return reading.promise;
    },
    () => clock,
  );
  return {
    read,
    count: () => open.length,
    end: () => open.at(-1)?.resolve(open.length),
    fail: () => open.at(-1)?.reject(new Error('The store is gone')),
    pass: (ms: number) => {
      clock += ms;
    },
  };
}

it('reads once for all who ask meanwhile, however long it takes', async () => {
  const { read, count, end, pass } = reads();
  const first = read();
  pass(5_000);
  const second = read();
  end();
  expect(await Promise.all([first, second])).toEqual([1, 1]);
  expect(count()).toBe(1);
});

it('keeps what was read for its lifetime, counted from when the read began', async () => {
  const { read, count, end, pass } = reads();
  const first = read();
  pass(400);
  end();
  await first;
  pass(599);
  expect(await read()).toBe(1);
  pass(1);
  const second = read();
  end();
  expect(await second).toBe(2);
  expect(count()).toBe(2);
});

it('reads again at once after a failure', async () => {
  const { read, count, fail, end } = reads();
  const first = read();
  fail();
  await expect(first).rejects.toThrow('gone');
  const second = read();
  end();
  expect(await second).toBe(2);
  expect(count()).toBe(2);
});
