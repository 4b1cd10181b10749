import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readReply } from './read-reply.ts';

const TABLE = new URL('../../../tests/fixtures/alerts/replies.tsv', import.meta.url);

/** The rows of the table, with \n and \uXXXX decoded. */
const ROWS = readFileSync(TABLE, 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) =>
    line
      .replaceAll('\\n', '\n')
      .replace(/\\u([\da-f]{4})/g, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .split('\t'),
  );

const read = (text: string) => readReply({ text, payload: null });

describe('readReply', () => {
  it.each(ROWS)('reads as %s: %j', (kind, text = '') => {
    expect(read(text).kind).toBe(kind);
  });

  it.each([
    ['STOP 2', [2]],
    ['Stop #12', [12]],
    ['stop ２', [2]],
    ['please stop alert 3', [3]],
    ['STOP 2 and 3', [2, 3]],
    ['stop 1, 2 & 2', [1, 2]],
  ])('reads %j as a stop of the alerts %j', (text, numbers) => {
    expect(read(text)).toEqual({ kind: 'stop-some', numbers });
  });

  it.each([
    ['stop', 'Great deal', { kind: 'stop', isAboutData: false }],
    ['stop:7', 'Stop this one', { kind: 'stop-some', numbers: [7] }],
    ['see:7', 'Stop all', { kind: 'see', message: 7 }],
    ['yes', 'No', { kind: 'yes' }],
    ['delete', 'Delete my data', { kind: 'data' }],
    ['x1', 'Stop', { kind: 'stop', isAboutData: false }],
    ['x1', 'Yes', { kind: 'other' }],
  ])(
    'reads a button by its payload %j, and under another payload only a stop by its title %j',
    (payload, text, reply) => {
      expect(readReply({ text, payload })).toEqual(reply);
    },
  );

  it('notes that a stop is about data too', () => {
    expect(read('Stop and delete all my data')).toEqual({ kind: 'stop', isAboutData: true });
  });

  it('reads STOP through any case, punctuation, emoji and invisible characters', () => {
    const noise = fc.string({
      unit: fc.constantFrom(' ', '.', '!', '\u200b', '\u200d', '\u2060', '\u00ad', '\n', '🛑', '"', '\u0301'),
      maxLength: 6,
    });
    const stop = fc.mixedCase(fc.constant('stop'));
    fc.assert(
      fc.property(noise, stop, noise, (before, word, after) => {
        expect(read(`${before}${word}${after}`).kind).toBe('stop');
      }),
    );
  });

  it('reads any text of any length without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 3_000 }), (text) => {
        expect(read(text).kind).toBeTypeOf('string');
      }),
    );
    expect(read('in the stop '.repeat(50_000)).kind).toBe('stop');
    expect(read('\ufdfa'.repeat(1_000)).kind).toBe('other');
  });
});
