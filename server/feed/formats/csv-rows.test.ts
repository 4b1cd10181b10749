import { csvParseRows } from 'd3-dsv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsvRows } from './csv-rows.ts';
import { NO_PROBLEMS } from './raw-row.ts';

type Row = [line: number, cells: readonly string[] | string];

/** The rows after the header, as cells or as the reason for their refusal. */
async function read(text: string, size: number): Promise<Row[]> {
  const cellsOf = new Map<object, readonly string[]>();
  async function* chunks() {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const found: Row[] = [];
  const batches = readCsvRows(chunks(), {
    delimiter: ',',
    readHeader: () => (cells) => {
      const fields = {};
      cellsOf.set(fields, cells);
      return [{ fields, problems: NO_PROBLEMS }];
    },
  });
  for await (const rows of batches) {
    for (const row of rows) {
      const isRead = row.kind === 'row';
      found.push([row.line, isRead ? (cellsOf.get(row.fields) ?? []) : row.reason]);
    }
  }
  return found;
}

const WRONG_LENGTH = 'has more or fewer cells than the header';
const WRONG_QUOTE = 'has a misplaced quote';

describe('reading a CSV feed', () => {
  it('gives the same rows in chunks of any size', async () => {
    const cell = fc.stringMatching(/^[a-c",\r\n é€]{0,6}$/);
    const written = cell.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text));
    const row = fc.tuple(fc.tuple(written, written), fc.constantFrom('\n', '\r\n'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 6 }),
        fc.integer({ min: 1, max: 9 }),
        async (rows, size) => {
          const text = `a,b\n${rows.map(([cells, ending]) => cells.join(',') + ending).join('')}`;
          const known = csvParseRows(text).slice(1);
          expect((await read(text, size)).map(([, cells]) => cells)).toEqual(known);
        },
      ),
    );
  });

  it('reports the line on which a row begins, after blank lines and line breaks in cells', async () => {
    const text = 'a,b\r\n\r\n"1\r\n2\n3\n4",x\n\n\ny,z\nlast,row';
    for (const size of [1, 2, 3, 100]) {
      expect(await read(text, size)).toEqual([
        [3, ['1\r\n2\n3\n4', 'x']],
        [9, ['y', 'z']],
        [10, ['last', 'row']],
      ]);
    }
  });

  it('loses only the rows with a misplaced quote or another number of cells', async () => {
    for (const size of [1, 7, 5_000]) {
      expect(await read('a,b\nc"d,e\n"f"g,"h"\ni,j,k\nl\nm,n\n', size)).toEqual([
        [2, WRONG_QUOTE],
        [3, WRONG_QUOTE],
        [4, WRONG_LENGTH],
        [5, WRONG_LENGTH],
        [6, ['m', 'n']],
      ]);
    }
  });

  it.each([
    ['a quote that is not closed', 'a,b\n"c,d\ne,f\n', 'Line 2: the row that begins here'],
    ['a header with a misplaced quote', '"a"b,c\nd,e\n', 'Line 1: the header has a misplaced quote'],
    ['no row at all', '\n', 'it has no header row'],
    [
      'a last row without a newline and with too few cells',
      'a,b\nc,d\ne',
      'ends on line 3 without a newline',
    ],
    ['a last row that ends within quotes', 'a,b\nc,"d', 'Line 2: the row that begins here'],
  ])('refuses a feed with %s', async (_what, text, message) => {
    for (const size of [100, 65_536]) await expect(read(text, size)).rejects.toThrow(message);
  });

  it('refuses a feed with a cell that is too long', async () => {
    const text = `a,b\n"${'d\n'.repeat(600_000)}"\n`;
    await expect(read(text, 262_144)).rejects.toThrow('Line 2: the row that begins here');
  });

  it('accepts a last row without a newline if it has all its cells', async () => {
    expect(await read('a,b\nc,d', 100)).toEqual([[2, ['c', 'd']]]);
    expect(await read('a,b\r\nc,', 100)).toEqual([[2, ['c', '']]]);
    expect(await read('a,b\nc,d\n   ', 100)).toEqual([
      [2, ['c', 'd']],
      [3, WRONG_LENGTH],
    ]);
  });
});
