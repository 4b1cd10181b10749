import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SqlValue } from '../../sql-database.ts';
import { copyParts } from './copy-rows.ts';

const value = fc.oneof(
  fc.integer(),
  fc.constant(null),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.uint8Array({ maxLength: 8 }),
);

const textOf = (parts: Iterable<Uint8Array>) => Buffer.concat([...parts]).toString('utf8');

it('has the same text in parts of any length, each of whole rows', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(value, { minLength: 1 })),
      fc.integer({ min: 1, max: 200 }),
      (rows, length) => {
        const parts = [...copyParts(rows, length)];
        expect(textOf(parts)).toBe(rows.map((row) => textOf(copyParts([row]))).join(''));
        for (const part of parts) expect(part.at(-1)).toBe('\n'.charCodeAt(0));
      },
    ),
  );
});

it('makes a part of a few rows, and reads no row before it is needed', () => {
  const link = 'x'.repeat(300);
  let read = 0;
  function* rows(): Generator<SqlValue[]> {
    for (let id = 0; id < 20_000; id += 1) {
      read += 1;
      yield [id, link];
    }
  }
  let written = 0;
  for (const part of copyParts(rows())) {
    expect(part.length).toBeLessThan(300_000);
    // The connection transfers a part's memory to another thread, so the part must not share it.
    expect(part.buffer.byteLength).toBe(part.length);
    written += part.filter((byte) => byte === '\n'.charCodeAt(0)).length;
    expect(read).toBe(written);
  }
  expect(written).toBe(20_000);
});
