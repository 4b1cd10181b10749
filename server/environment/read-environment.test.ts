import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { parseConfig } from '../config.ts';
import { readSettings } from '../settings.ts';
import { namesIn, readBy } from './read-environment.ts';

describe('secrets in files', () => {
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

  it('are read without the line break at their end', () => {
    const parsed = parseConfig({
      TOKEN_KEY_FILE: file('token', 'sixteen characters and more\r\n'),
      METRICS_TOKEN_FILE: file('metrics', 'another sixteen characters'),
    });
    expect(parsed).toMatchObject({
      config: { tokenKey: 'sixteen characters and more', metricsToken: 'another sixteen characters' },
    });
  });

  it('are read for the chosen provider, and for no other', () => {
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
    ['is not there', () => join(folder.path, 'missing'), 'ENOENT'],
    ['is a folder', () => folder.path, 'EISDIR'],
    ['is empty', () => file('empty', '\n'), 'it is empty'],
    ['is no secret', () => file('long', 'x'.repeat(20_000)), 'it is far too long'],
  ])('are refused by name where the file %s', (_, path, reason) => {
    const refused = parseConfig({ TOKEN_KEY_FILE: path() });
    const message = expect.stringMatching(
      new RegExp(`^TOKEN_KEY_FILE is ".+", and takes a file that holds the secret: .*${reason}`),
    );
    expect(refused).toEqual({ kind: 'refused', message });
  });

  it('are refused where they are given twice', () => {
    const twice = { TOKEN_KEY: 'sixteen characters', TOKEN_KEY_FILE: '/any' };
    const message = 'TOKEN_KEY and TOKEN_KEY_FILE are both set: give one of them.';
    expect(parseConfig(twice)).toEqual({ kind: 'refused', message });
  });

  it('never stand in a refusal', () => {
    const refused = parseConfig({ METRICS_TOKEN_FILE: file('short', 'hush') });
    expect(refused.kind).toBe('refused');
    expect(JSON.stringify(refused)).not.toContain('hush');
  });
});

it('knows the names of an object, also behind a pipe', () => {
  const object = v.object({ ONE: v.string(), TWO: v.string() });
  expect(namesIn(object)).toEqual(['ONE', 'TWO']);
  expect(
    namesIn(
      v.pipe(
        object,
        v.transform(({ ONE }) => ONE),
      ),
    ),
  ).toEqual(['ONE', 'TWO']);
  expect(readBy(object, { ONE: '1', TWO: '2', THREE: '3' })).toEqual({
    kind: 'read',
    value: { ONE: '1', TWO: '2' },
  });
});
