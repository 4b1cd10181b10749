import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SqlValue } from '../sql-database.ts';
import { copyText } from './copy-text.ts';

const value = fc.oneof(
  fc.integer(),
  fc.constant(null),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.uint8Array({ maxLength: 8 }),
);

async function partsOf(rows: Iterable<readonly SqlValue[]>, length?: number): Promise<string[]> {
  const parts: string[] = [];
  for await (const part of copyText(rows, length)) parts.push(part);
  return parts;
}

it('has the same text in parts of any length, each of whole rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(value, { minLength: 1 })),
      fc.integer({ min: 1, max: 200 }),
      async (rows, length) => {
        const parts = await partsOf(rows, length);
        const alone = await Promise.all(rows.map((row) => partsOf([row])));
        expect(parts.join('')).toBe(alone.flat().join(''));
        for (const part of parts) expect(part.at(-1)).toBe('\n');
      },
    ),
  );
});

it('makes a part of a few rows, and reads no row before it is needed', async () => {
  const link = 'x'.repeat(300);
  let read = 0;
  function* rows(): Generator<SqlValue[]> {
    for (let id = 0; id < 20_000; id += 1) {
      read += 1;
      yield [id, link];
    }
  }
  let written = 0;
  for await (const part of copyText(rows())) {
    expect(part.length).toBeLessThan(300_000);
    written += part.split('\n').length - 1;
    expect(read).toBe(written);
  }
  expect(written).toBe(20_000);
});
