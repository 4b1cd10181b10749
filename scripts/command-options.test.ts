import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { readOptions } from './command-options.ts';

const DEFAULTS = { seconds: 5, folder: 'data', only: null, fresh: false } as const;

describe('The options of a command', () => {
  it.each([
    [[], DEFAULTS],
    [
      ['--seconds', '0.5', '--fresh', '--only=a b', '--folder', '/tmp'],
      { seconds: 0.5, folder: '/tmp', only: 'a b', fresh: true },
    ],
    [['--seconds', '0'], { ...DEFAULTS, seconds: 0 }],
  ])('%j are read, with defaults for the others', (words, options) => {
    expect(readOptions(DEFAULTS, words)).toEqual({ options });
  });

  it.each([
    [['--seconds', 'five'], '--seconds takes a number of at least 0 (got "five").'],
    [['--seconds', ''], '--seconds takes a number of at least 0 (got "").'],
    [['--seconds=-1'], '--seconds takes a number of at least 0 (got "-1").'],
    [['--seconds', 'Infinity'], '--seconds takes a number of at least 0 (got "Infinity").'],
    [['--slow'], /'--slow'/],
    [['data'], /'data'/],
    [['--folder'], /--folder/],
    [['--fresh=yes'], /--fresh/],
  ])('%j are refused with what is wrong', (words, wrong) => {
    const expected: unknown = typeof wrong === 'string' ? wrong : expect.stringMatching(wrong);
    expect(readOptions(DEFAULTS, words)).toEqual({ wrong: expected });
  });
});

describe('A long test', () => {
  const soak = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['tests/soak/run.ts', 'phone-strings', ...words],
      { encoding: 'utf8' },
    );
    return { status, stdout, stderr };
  };

  it('prints its usage', () => {
    const usage = expect.stringContaining('npm run soak -- phone-strings [--strings 1000000]');
    expect(soak('--help')).toEqual({ status: 0, stdout: usage, stderr: '' });
  });

  it('does not run with a value that is not a number', () => {
    const wrong = expect.stringContaining('--strings takes a number of at least 0 (got "many").');
    expect(soak('--strings', 'many')).toEqual({ status: 2, stdout: '', stderr: wrong });
  });
});
