import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tests/fixtures/temporary-folder.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER, OFFER_COLUMNS } from '../../inventory/offer-columns.ts';
import { recordFile, type StagedRow, sortedRecordFile } from './record-file.ts';

/** A few records fill a run, so that even short feeds are merged. */
const SMALL_RUN = 16 * 1024;

let folder: ReturnType<typeof temporaryFolder>;

beforeAll(() => {
  folder = temporaryFolder();
});

afterAll(() => folder.remove());

/** Few different keys, so that rows share them; every column may hold the limits of its type. */
const row = fc
  .tuple(
    fc.tuple(...KEY_COLUMNS.map(() => fc.constantFrom(0, 1, 2, 2 ** 31 - 1))),
    fc.tuple(...OFFER_COLUMNS.slice(KEY_COLUMNS.length, -1).map(() => fc.constantFrom(0, 7, 2 ** 31 - 1))),
    fc.option(fc.nat(2 ** 31 - 1), { nil: null }),
    fc.option(fc.string({ unit: 'binary', maxLength: 2_000 }), { nil: null }),
  )
  .map(
    ([key, values, before, link]) =>
      [...key, ...values, link].with(OFFER.priceBefore, before) as unknown as OfferRow,
  );

function compare(one: StagedRow, other: StagedRow): number {
  for (let column = 0; column <= OFFER.price; column += 1) {
    const difference = Number(one.row[column]) - Number(other.row[column]);
    if (difference !== 0) return difference;
  }
  return one.line - other.line;
}

const staged = (rows: readonly OfferRow[]): StagedRow[] => rows.map((one, line) => ({ row: one, line }));

describe('a file of staged rows', () => {
  it('returns rows as they were added, in that order', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), (rows) => {
        const file = recordFile(join(folder.path, 'rows'));
        for (const [line, one] of rows.entries()) file.add(one, line);
        expect([...file.rows()]).toEqual(staged(rows));
        file.close();
      }),
      { numRuns: 50 },
    );
  });

  it('returns sorted rows by key, price and line, whether they fit in one run or are merged', () => {
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 300, size: 'max' }),
        fc.constantFrom(SMALL_RUN, undefined),
        (rows, run) => {
          const file = sortedRecordFile(join(folder.path, 'sorted'), run);
          for (const [line, one] of rows.entries()) file.add(one, line);
          const expected = staged(rows).toSorted(compare);
          expect([...file.rows()]).toEqual(expected);
          expect([...file.rows()]).toEqual(expected);
          file.close();
        },
      ),
      { numRuns: 60 },
    );
  });
});
