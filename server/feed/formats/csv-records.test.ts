import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRecordReader } from './csv-records.ts';

type Told = { line: number; cells: readonly string[]; isBroken: boolean };

function read(chunks: readonly Uint8Array[], longest = 1_000): { told: Told[]; endless: number | null } {
  const told: Told[] = [];
  const reader = csvRecordReader(
    { delimiter: ',', longest },
    {
      onRecord: (cells, line) => told.push({ line, cells, isBroken: false }),
      onBroken: (cells, line) => told.push({ line, cells, isBroken: true }),
    },
  );
  for (const chunk of chunks) {
    const endless = reader.write(chunk);
    if (endless !== null) return { told, endless: endless.line };
  }
  return { told, endless: reader.end()?.line ?? null };
}

function cut(text: string, size: number): Uint8Array[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, nth) =>
    bytes.subarray(nth * size, (nth + 1) * size),
  );
}

describe('reading CSV records', () => {
  it('reads well-formed files like another parser, for any chunks', () => {
    const cell = fc.stringMatching(/^[a-c",\r\n é€]{0,6}$/);
    const written = cell.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text));
    const row = fc.tuple(
      fc.array(written, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('\n', '\r\n', '\r'),
    );
    fc.assert(
      fc.property(fc.array(row, { maxLength: 6 }), fc.integer({ min: 1, max: 9 }), (rows, size) => {
        const text = rows.map(([cells, ending]) => cells.join(',') + ending).join('');
        const known = parse(text, {
          record_delimiter: ['\r\n', '\n', '\r'],
          skip_empty_lines: true,
          relax_column_count: true,
        });
        const { told, endless } = read(cut(text, size));
        expect(endless).toBeNull();
        expect(told.map(({ cells }) => cells)).toEqual(known);
        expect(told.some(({ isBroken }) => isBroken)).toBe(false);
      }),
    );
  });

  it('reports the line on which a record begins, after blank lines and newlines in cells', () => {
    const text = '\uFEFFa,b\r\n\r\n"1\r\n2\r3\n4",x\n\n\ny,z\rlast';
    for (const size of [1, 2, 3, 100]) {
      expect(read(cut(text, size))).toEqual({
        endless: null,
        told: [
          { line: 1, cells: ['a', 'b'], isBroken: false },
          { line: 3, cells: ['1\r\n2\r3\n4', 'x'], isBroken: false },
          { line: 9, cells: ['y', 'z'], isBroken: false },
          { line: 10, cells: ['last'], isBroken: false },
        ],
      });
    }
  });

  it('loses only the record with a misplaced quote', () => {
    const { told, endless } = read([Buffer.from('a,b\nc"d,e\n"f"g,"h"\ni,j\n')]);
    expect(endless).toBeNull();
    expect(told.map(({ line, isBroken }) => [line, isBroken])).toEqual([
      [1, false],
      [2, true],
      [3, true],
      [4, false],
    ]);
  });

  it.each([
    ['a quote that is not closed', 'a,b\n"c,d\ne,f\n', 2],
    ['a record that is too long', `a,b\nc,${'d'.repeat(1_000)}\ne,f\n`, 2],
    ['a cell that is too long over many lines', `a,b\n"${'d\n'.repeat(600)}"\n`, 2],
    ['a line that is too long and never ends', 'a'.repeat(1_001), 1],
  ])('ends at %s', (_what, text, line) => {
    for (const size of [1, 7, 5_000]) expect(read(cut(text, size)).endless).toBe(line);
  });
});
