import { spawnSync } from 'node:child_process';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { installedUsage, readCommandLine } from './command-line.ts';

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
    expect(readCommandLine({ options: DEFAULTS, args: words })).toMatchObject({
      kind: 'given',
      options,
      words: [],
    });
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
    expect(readCommandLine({ options: DEFAULTS, args: words })).toEqual({ kind: 'wrong', message: expected });
  });
});

describe('A usage', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('names the installed command in production', () => {
    const usage = 'npm run alerts -- status [--json]\nnpm run prices:rebuild';
    expect(installedUsage(usage)).toBe(usage);
    vi.stubEnv('NODE_ENV', 'production');
    expect(installedUsage(usage)).toBe('skylark alerts status [--json]\nskylark prices-rebuild');
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
