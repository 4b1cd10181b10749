import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KNOWN_VARIABLES, SECRETS, unknownVariableWarnings } from './known-variables.ts';

const ROOT = join(import.meta.dirname, '..');

/** Variables of development tools, the system, npm and SQLite. */
const NOT_SETTINGS = new Set([
  'BROWSER_PATH',
  'FIREFOX_PATH',
  'TEST_PROGRAMS',
  'CITUS_ARCHIVE',
  'PATH',
  'INIT_CWD',
  'NODE_OPTIONS',
  'SQLITE_TMPDIR',
]);

/** The variables in the first column of the tables in docs/configuration.md. */
function documented(): string[] {
  const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
  return page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name));
}

/** The variables that source files read directly from `process.env`. */
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

describe('Environment variables', () => {
  it('are each documented once, with no others', () => {
    expect(documented().toSorted()).toEqual(KNOWN_VARIABLES.toSorted());
  });

  it('are read only through declared settings', () => {
    const unknown = readByName().filter((name) => !NOT_SETTINGS.has(name));
    expect(unknown.filter((name) => !KNOWN_VARIABLES.includes(name))).toEqual([]);
  });

  it('are secret exactly where the documentation says so', () => {
    const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
    for (const name of KNOWN_VARIABLES) {
      const line = page.split('\n').find((one) => one.startsWith('|') && one.includes(`\`${name}\``)) ?? '';
      expect(/\bsecret\b/.test(line), name).toBe(SECRETS.has(name));
    }
  });
});

describe('unknownVariableWarnings', () => {
  it.each([
    ['SAMPLE_INVENTROY', 'Did you mean SAMPLE_INVENTORY?'],
    ['TOKENKEY', 'Did you mean TOKEN_KEY?'],
    ['META_TOKEN_FIEL', 'Did you mean META_TOKEN_FILE?'],
    ['DATADIR', 'Did you mean DATA_DIR?'],
    ['PROVIDER_ULR', 'Did you mean PROVIDER_URL?'],
    ['BRAND_TAGLINE', 'docs/configuration.md lists every variable.'],
    ['DATA_DIR_FILE', 'Only secrets can be given as files, and DATA_DIR is not a secret.'],
  ])('warns about %s, without its value: %s', (name, advice) => {
    expect(unknownVariableWarnings({ [name]: 'a value' })).toEqual([`Unknown variable ${name}. ${advice}`]);
  });

  it('ignores empty variables and those of other programs', () => {
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
