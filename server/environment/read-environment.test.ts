import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { parseConfig } from '../config.ts';
import { readSettings } from '../settings.ts';
import { defineSettings, secretSetting, setting } from './schema.ts';
import { requiredText, textOr } from './values.ts';

describe('Secret files', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeAll(() => {
    folder = temporaryFolder();
  });
  afterAll(() => folder.remove());

  function file(name: string, content: string): string {
    const path = join(folder.path, name);
    writeFileSync(path, content);
    return path;
  }

  it('are read without their trailing newline', () => {
    const parsed = parseConfig({
      TOKEN_KEY_FILE: file('token', 'sixteen characters and more\r\n'),
      METRICS_TOKEN_FILE: file('metrics', 'another sixteen characters'),
    });
    expect(parsed).toMatchObject({
      config: { tokenKey: 'sixteen characters and more', metricsToken: 'another sixteen characters' },
    });
  });

  it('are read only for the configured message provider', () => {
    const bird = { META_TOKEN_FILE: '/nowhere', ALERT_PROVIDER: 'local' };
    expect(readSettings(bird).kind).toBe('settings');
    const meta = {
      ALERT_PROVIDER: 'meta',
      META_PHONE_NUMBER_ID: '1',
      META_TOKEN_FILE: file('meta-token', 'a token\n'),
      META_APP_SECRET_FILE: file('app-secret', 'a secret\n'),
      META_VERIFY_TOKEN: 'a word',
    };
    expect(readSettings(meta)).toMatchObject({
      settings: { alerts: { provider: { token: 'a token', appSecret: 'a secret', verifyToken: 'a word' } } },
    });
  });

  it.each([
    ['does not exist', () => join(folder.path, 'missing'), 'ENOENT'],
    ['is a folder', () => folder.path, 'EISDIR'],
    ['is empty', () => file('empty', '\n'), 'it is empty'],
    ['is too long', () => file('long', 'x'.repeat(20_000)), 'it is too long'],
  ])('are refused by name if the file %s', (_, path, reason) => {
    const refused = parseConfig({ TOKEN_KEY_FILE: path() });
    const message = expect.stringMatching(
      new RegExp(`^TOKEN_KEY_FILE must be a file that holds the secret \\(got ".+"\\): .*${reason}`),
    );
    expect(refused).toEqual({ kind: 'refused', message });
  });

  it('are rejected if the variable is also set', () => {
    const twice = { TOKEN_KEY: 'sixteen characters', TOKEN_KEY_FILE: '/any' };
    const message = 'TOKEN_KEY and TOKEN_KEY_FILE are both set. Set only one of them.';
    expect(parseConfig(twice)).toEqual({ kind: 'refused', message });
  });

  it('never appear in an error message', () => {
    const refused = parseConfig({ METRICS_TOKEN_FILE: file('short', 'hush') });
    expect(refused.kind).toBe('refused');
    expect(JSON.stringify(refused)).not.toContain('hush');
  });
});

describe('defineSettings', () => {
  const settings = defineSettings({
    one: setting('ONE', requiredText),
    more: { two: secretSetting('TWO', textOr('2')) },
  });

  it('lists the variables and secrets of all groups', () => {
    expect(settings.variables).toEqual(['ONE', 'TWO']);
    expect([...settings.secrets]).toEqual(['TWO']);
  });

  it('reads variables into their groups, and ignores all others', () => {
    expect(settings.read({ ONE: '1', THREE: '3' })).toEqual({
      kind: 'read',
      value: { one: '1', more: { two: '2' } },
    });
  });

  it('rejects a missing and an invalid variable, and shows no secret', () => {
    const refused = (message: string) => ({ kind: 'refused', message });
    expect(settings.read({})).toEqual(refused('ONE must be set: the chosen provider requires it.'));
    expect(settings.read({ ONE: ' ' })).toEqual(refused('ONE must be non-blank text (got " ").'));
    expect(settings.read({ ONE: '1', TWO: ' ' })).toEqual(
      refused('TWO must be non-blank text (the value is not shown).'),
    );
  });
});
