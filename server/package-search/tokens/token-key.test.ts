import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tests/fixtures/temporary-folder.ts';
import { embeddedStore } from '../../storage/store-address.ts';
import { tokenKey } from './token-key.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

it('generates a key that only the owner can read, and keeps it', async () => {
  const key = await tokenKey(null, embeddedStore(folder.path));
  expect(key).toHaveLength(32);
  expect(await tokenKey(null, embeddedStore(folder.path))).toEqual(key);
  if (process.platform !== 'win32') {
    expect(statSync(join(folder.path, 'token.key')).mode & 0o777).toBe(0o600);
  }
});

it('prefers a configured key', async () => {
  await tokenKey(null, embeddedStore(folder.path));
  expect(await tokenKey('configured for all servers', embeddedStore(folder.path))).toEqual(
    Buffer.from('configured for all servers'),
  );
});
