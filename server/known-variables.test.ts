import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SECRETS } from './environment/read-environment.ts';
import { KNOWN_VARIABLES, unknownVariableWarnings } from './known-variables.ts';

const ROOT = join(import.meta.dirname, '..');

/** Of the development of Skylark, not of its running; and what the system and npm set. */
const NOT_OURS = new Set(['BROWSER_PATH', 'FIREFOX_PATH', 'TEST_PROGRAMS', 'PATH', 'INIT_CWD']);

/** Names in the first column of the page's tables. */
function documented(): string[] {
  const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
  return page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name));
}

/** Names that a source file reads from the environment by itself. */
function readByName(): string[] {
  const sources = ['server', 'scripts'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
  );
  return sources.flatMap((source) =>
    [...source.matchAll(/process\.env\.([A-Z_]+)/g)].map(([, name = '']) => name),
  );
}

describe('the variables of the environment', () => {
  it('are all documented, once, and nothing else is', () => {
    expect(documented().toSorted()).toEqual(KNOWN_VARIABLES.toSorted());
  });

  it('are all read through the schemas', () => {
    const unknown = readByName().filter((name) => !NOT_OURS.has(name));
    expect(unknown.filter((name) => !KNOWN_VARIABLES.includes(name))).toEqual([]);
  });

  it('count as secret where they are told to be', () => {
    const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
    for (const name of KNOWN_VARIABLES) {
      const line = page.split('\n').find((one) => one.startsWith('|') && one.includes(`\`${name}\``)) ?? '';
      expect(/\bsecret\b/.test(line), name).toBe(SECRETS.has(name));
    }
  });
});

describe('variables that nobody reads', () => {
  it.each([
    ['SAMPLE_INVENTROY', 'is SAMPLE_INVENTORY meant?'],
    ['TOKENKEY', 'is TOKEN_KEY meant?'],
    ['META_TOKEN_FIEL', 'is META_TOKEN_FILE meant?'],
    ['DATADIR', 'is DATA_DIR meant?'],
    ['PROVIDER_ULR', 'is PROVIDER_URL meant?'],
    ['BRAND_TAGLINE', 'docs/configuration.md has every name.'],
    ['DATA_DIR_FILE', 'only secrets are given as files, and DATA_DIR is none.'],
  ])('%s is told of', (name, words) => {
    expect(unknownVariableWarnings({ [name]: 'a value' })).toEqual([
      expect.stringMatching(new RegExp(`^${name} is set, and nothing reads it: .*`)),
    ]);
    expect(unknownVariableWarnings({ [name]: 'a value' })[0]).toContain(words);
    expect(unknownVariableWarnings({ [name]: 'a value' })[0]).not.toContain('a value');
  });

  it('are nobody else’s, and none that is empty', () => {
    const usual = {
      PATH: '/bin',
      HOME: '/root',
      HOSTNAME: 'here',
      USER: 'me',
      SHELL: '/bin/sh',
      PWD: '/',
      LANG: 'C',
      TERM: 'dumb',
      npm_package_name: 'skylark',
      NODE_OPTIONS: '',
      BRAND_TAGLINE: '',
      PORT: '1',
      TOKEN_KEY_FILE: '/key',
    };
    expect(unknownVariableWarnings(usual)).toEqual([]);
  });
});
