import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInboundCommand } from './inbound-command.ts';

describe('parseInboundCommand', () => {
  it.each([
    'STOP',
    'stop',
    'Stop.',
    ' sToP! ',
    'STOP ALL',
    'stopall',
    'Stop all',
    'STOP please',
    'please stop',
    'Pls stop messaging me',
    'stop sending me these',
    'stop 🛑',
    '🛑 STOP',
    'S.T.O.P',
    's t o p',
    'ＳＴＯＰ',
    '𝗦𝗧𝗢𝗣',
    'st\u200bop',
    '\u202aSTOP\u202c',
    'stóp',
    '"stop"',
    'stop\nSent from my phone',
    'Stopp',
    'unsubscribe',
    'UNSUBSCRIBE ME',
    'Un-subscribe',
    'cancel',
    'Cancel all',
    'END',
    'quit',
    'opt out',
    'opt-out',
    'OPTOUT',
    'opt me out please',
    'Please remove me',
    'remove my number',
    'take me off',
    'leave me alone',
    'Don’t message me again',
    "don't text me",
    'do not contact me',
    'no more messages',
    'yes stop',
    'hi, unsubscribe',
    'no no stop',
    'yes, please stop',
    'stop stop stop',
    'STOP 2 and 3',
    'stop the alerts',
    'stop 12345',
    'ST0P',
    'No',
    'no thanks',
    'Wrong number, sorry',
  ])('reads %j as STOP', (text) => {
    expect(parseInboundCommand(text)).toEqual({ kind: 'stop' });
  });

  it.each([
    ['STOP 2', 2],
    ['stop 2.', 2],
    ['Stop #12', 12],
    ['stop watch 3', 3],
    ['Stop no. 4', 4],
    ['cancel 5', 5],
    ['Stop1', 1],
    ['stop ２', 2],
  ])('reads %j as STOP of watch %i', (text, number) => {
    expect(parseInboundCommand(text)).toEqual({ kind: 'stop-one', number });
  });

  it.each(['YES', 'yes', 'Y', 'Yes please', 'yes!', 'Yés', 'YES 👍', 'yep', 'Ok', 'yes plz'])(
    'reads %j as YES',
    (text) => {
      expect(parseInboundCommand(text)).toEqual({ kind: 'start', isExplicit: false });
    },
  );

  it.each(['START', 'start', 'Restart', 'unstop', 'resume'])('reads %j as START', (text) => {
    expect(parseInboundCommand(text)).toEqual({ kind: 'start', isExplicit: true });
  });

  it.each(['LIST', 'list', 'List?', 'list please', 'What am I watching?'])('reads %j as LIST', (text) => {
    expect(parseInboundCommand(text)).toEqual({ kind: 'list' });
  });

  it.each([
    '',
    '👍',
    'yes? no',
    'who is this',
    'help',
    'not yes',
    'Don’t stop!',
    'How much is it now?',
    'The bus stop is near',
  ])('reads %j as a request for help', (text) => {
    expect(parseInboundCommand(text)).toEqual({ kind: 'help' });
  });

  it('reads STOP through any case, punctuation, emoji and invisible characters', () => {
    const noise = fc.string({
      unit: fc.constantFrom(' ', '.', '!', '\u200b', '\u200d', '\n', '🛑', '"', '\u0301'),
      maxLength: 6,
    });
    const stop = fc
      .array(fc.boolean(), { minLength: 4, maxLength: 4 })
      .map((upper) =>
        [...'stop'].map((letter, index) => (upper[index] ? letter.toUpperCase() : letter)).join(''),
      );
    fc.assert(
      fc.property(noise, stop, noise, (before, word, after) => {
        expect(parseInboundCommand(`${before}${word}${after}`)).toEqual({ kind: 'stop' });
      }),
    );
  });
});
