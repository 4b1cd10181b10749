import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldMessage } from './fold-message.ts';
import { readCommand } from './read-command.ts';

const read = (text: string) => readCommand({ text, payload: null });

describe('readCommand', () => {
  it('reads only the start of a text whose characters each expand to many', () => {
    const { words } = foldMessage('\ufdfa'.repeat(1_000));
    expect(words.length).toBeGreaterThan(0);
    expect(words.join(' ').length).toBeLessThanOrEqual(1_000);
  });

  it.each([
    ['STOP 2', [2]],
    ['stop 2.', [2]],
    ['Stop #12', [12]],
    ['stop watch 3', [3]],
    ['Stop1', [1]],
    ['stop ２', [2]],
    ['STOP 2 and 3', [2, 3]],
    ['stop the second one', [2]],
    ['stop this one', []],
  ])('reads %j as STOP of the watches %j', (text, numbers) => {
    expect(read(text)).toEqual({ kind: 'stop-one', numbers });
  });

  it.each([
    ['stop', 'Great deal', { kind: 'stop' }],
    ['STOP', 'Keep them', { kind: 'stop' }],
    ['stop:7', 'Stop this one', { kind: 'stop-one', numbers: [7] }],
    ['see:7', 'Stop all', { kind: 'see', number: 7 }],
    ['keep', 'Stop all', { kind: 'keep' }],
    ['yes', 'No', { kind: 'yes' }],
    ['delete', 'Delete my data', { kind: 'delete' }],
  ])('reads a button by its payload %j and ignores its title %j', (payload, text, command) => {
    expect(readCommand({ text, payload })).toEqual(command);
  });

  it('asks if a button with a foreign payload is titled Stop', () => {
    expect(readCommand({ text: 'Stop', payload: 'x1' })).toEqual({ kind: 'ask' });
    expect(readCommand({ text: 'Great', payload: 'x1' })).toEqual({ kind: 'none' });
  });

  it.each(['stop Malta', 'no longer looking'])('answers %j with a question', (text) => {
    expect(read(text)).toEqual({ kind: 'ask' });
  });

  it.each([
    'Cancel the Tenerife alert but keep the Greece one',
    'I told you to stop last year but I would like them again now',
  ])('asks about %j, which is a stop and more', (text) => {
    expect(read(text)).toEqual({ kind: 'ask' });
  });

  it.each(['Yes, sign me up', 'hi yes please', 'Yes comma please confirm'])('reads %j as YES', (text) => {
    expect(read(text)).toEqual({ kind: 'yes' });
  });

  it.each([
    'I booked the hotel but keep the other one in mind',
    'start price?',
    'thinking of quitting my job',
  ])('does not read %j as a command', (text) => {
    expect(read(text)).toEqual({ kind: 'none' });
  });

  it.each(['KEEP', 'keep them', 'Keep all please'])('reads %j as a wish to keep the alerts', (text) => {
    expect(read(text)).toEqual({ kind: 'keep' });
  });

  it.each(['when does the holiday start?', 'start of June', 'starter included?', 'don’t start'])(
    'does not read %j as START, which would lift a stop',
    (text) => {
      expect(read(text).kind).not.toBe('start');
    },
  );

  it('reads STOP through any case, punctuation, emoji and invisible characters', () => {
    const noise = fc.string({
      unit: fc.constantFrom(' ', '.', '!', '\u200b', '\u200d', '\u2060', '\u00ad', '\n', '🛑', '"', '\u0301'),
      maxLength: 6,
    });
    const stop = fc
      .array(fc.boolean(), { minLength: 4, maxLength: 4 })
      .map((upper) =>
        [...'stop'].map((letter, index) => (upper[index] ? letter.toUpperCase() : letter)).join(''),
      );
    fc.assert(
      fc.property(noise, stop, noise, (before, word, after) => {
        expect(read(`${before}${word}${after}`)).toEqual({ kind: 'stop' });
      }),
    );
  });

  it.each([
    'stopmessagingme',
    'plz dnt snd nemore txts',
    'how many times do I have to say stop',
    'would you mind taking my number off',
  ])('reads %j, which is in no table, as a stop', (text) => {
    expect(read(text)).toEqual({ kind: 'stop' });
  });

  it.each(['stopping at our mam’s', 'it hasn’t stopped raining', 'dont send me hotels without a pool'])(
    'does not read %j as a stop',
    (text) => {
      expect(read(text)).toEqual({ kind: 'none' });
    },
  );

  it.each(['omg stop it i need that holiday', 'Stop it! £99 to Malaga?'])(
    'asks about %j, which may express delight',
    (text) => {
      expect(read(text)).toEqual({ kind: 'ask' });
    },
  );

  it.each(['put me back on', 'I stopped these by mistake, turn them back on', 'can I have my alerts back'])(
    'reads %j as START',
    (text) => {
      expect(read(text)).toEqual({ kind: 'start' });
    },
  );

  it.each(['how do I start again?', 'I might start again next year', 'start again? no'])(
    'does not read %j as START, because it says something else too',
    (text) => {
      expect(read(text).kind).not.toBe('start');
    },
  );

  it('reads any text of any length without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 3_000 }), (text) => {
        expect(read(text).kind).toBeTypeOf('string');
      }),
    );
    expect(read(`${'stop in the '.repeat(50_000)}`).kind).toBeTypeOf('string');
  });
});
