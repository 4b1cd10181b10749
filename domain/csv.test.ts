import { csvFormatRows } from 'd3-dsv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsv } from './csv.ts';

describe('parseCsv', () => {
  it.each([
    [
      'plain rows',
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a last line end', 'a\n', [['a']]],
    [
      'Windows line ends',
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a byte order mark', '\uFEFFa,b\n', [['a', 'b']]],
    ['a byte order mark before a quote', '\uFEFF"a,b",c', [['a,b', 'c']]],
    ['commas, quotes and newlines in quotes', '"a,""b""\r\nc",d', [['a,"b"\r\nc', 'd']]],
    ['blank cells', ',a,,', [['', 'a', '', '']]],
    ['blank lines', 'a\n\nb', [['a'], [''], ['b']]],
    ['rows of different lengths', 'a\nb,c', [['a'], ['b', 'c']]],
    ['an unclosed quote', 'a\nb,"c', [['a'], ['b', 'c']]],
    ['spaces as they are', ' a , b', [[' a ', ' b']]],
    ['nothing', '', []],
  ])('parses %s', (_, text, rows) => {
    expect(parseCsv(text)).toEqual(rows);
  });

  it('parses any correctly quoted text back to its values', () => {
    const cell = fc.string({ unit: fc.constantFrom(...'ab,"\n\r é'), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1 }), (rows) => {
        expect(parseCsv(`\uFEFF${csvFormatRows(rows)}\r\n`)).toEqual(rows);
      }),
    );
  });
});
