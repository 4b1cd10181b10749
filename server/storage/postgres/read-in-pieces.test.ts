import { PassThrough } from 'node:stream';
import { setImmediate as nextPass } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { LONGEST_PIECE } from '../../lib/work-queue/pieces.ts';
import { readInPieces } from './read-in-pieces.ts';

/** A stream whose data each make work, at once or in what follows. */
function stream(signal: AbortSignal | null = null) {
  const data = new PassThrough();
  const rests: { ms: number; end(): void }[] = [];
  const read: string[] = [];
  data.on('data', (chunk: Buffer) => {
    read.push(String(chunk));
    void Promise.resolve().then(workForLong);
  });
  const stop = readInPieces(
    data,
    (ms) => new Promise((resolve) => rests.push({ ms, end: () => resolve() })),
    signal,
  );
  return { data, rests, read, stop };
}

function workForLong(): void {
  const until = performance.now() + LONGEST_PIECE + 0.1;
  while (performance.now() < until);
}

async function passes(): Promise<void> {
  for (let nth = 0; nth < 5; nth += 1) await nextPass();
}

it('reads no more until it has rested for the work of what it has read', async () => {
  const { data, rests, read } = stream();
  data.write('one');
  await passes();
  expect(read).toEqual(['one']);
  expect(rests.map(({ ms }) => ms > LONGEST_PIECE)).toEqual([true]);
  data.write('two');
  await passes();
  expect(read).toEqual(['one']);
  rests[0]?.end();
  await passes();
  expect(read).toEqual(['one', 'two']);
  expect(rests).toHaveLength(2);
});

it('reads on at once when it is stopped, and counts no more', async () => {
  const { data, rests, read, stop } = stream();
  data.write('one');
  await passes();
  stop();
  const after = rests.length;
  data.write('two');
  await passes();
  expect(read).toEqual(['one', 'two']);
  expect(rests).toHaveLength(after);
});

it('counts also the work that ends it', async () => {
  const { data, rests, stop } = stream();
  data.once('data', () => void Promise.resolve().then(stop));
  data.write('one');
  await passes();
  expect(rests.map(({ ms }) => ms > LONGEST_PIECE)).toEqual([true]);
});

it('reads what nobody waits for without waiting itself, and counts it', async () => {
  const { data, rests, read } = stream(AbortSignal.abort());
  data.write('one');
  await passes();
  data.write('two');
  await passes();
  expect(read).toEqual(['one', 'two']);
  expect(rests.map(({ ms }) => ms > LONGEST_PIECE)).toEqual([true, true]);
});
