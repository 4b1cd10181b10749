import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tests/fixtures/temporary-folder.ts';
import { embeddedStore } from '../../storage/store-address.ts';
import { openAlertStore } from '../tables/alert-store.ts';
import { alertKeys, parseSecret, readAlertSecret } from './alert-keys.ts';

const NUMBER = '447700900123';

describe('alertKeys', () => {
  const keys = alertKeys(new Uint8Array(32));

  it('hashes a text the same way each time, but differently for each purpose and secret', () => {
    const hash = keys.hash('number', NUMBER);
    expect(hash).toMatch(/^[\da-f]{64}$/);
    expect(alertKeys(new Uint8Array(32)).hash('number', NUMBER)).toBe(hash);
    expect(keys.hash('user', NUMBER)).not.toBe(hash);
    expect(alertKeys(new Uint8Array(32).fill(1)).hash('number', NUMBER)).not.toBe(hash);
  });

  it('decrypts what it encrypted, and encrypts to different bytes each time', () => {
    const sealed = keys.seal(NUMBER);
    expect(keys.open(sealed)).toBe(NUMBER);
    expect(keys.seal(NUMBER)).not.toEqual(sealed);
    expect(Buffer.from(sealed).toString('latin1')).not.toContain('7700900');
  });

  it('rejects bytes that were changed or encrypted with another key', () => {
    const sealed = keys.seal(NUMBER);
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = sealed.map((byte, place) => (place === index ? byte ^ 1 : byte));
      expect(() => keys.open(changed)).toThrow(/authenticate|version/i);
    }
    expect(() => alertKeys(new Uint8Array(32).fill(1)).open(sealed)).toThrow(/authenticate/);
  });
});

describe('readAlertSecret', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('creates the key file once, readable only by its owner', () => {
    const secret = readAlertSecret(null, embeddedStore(folder.path), true);
    expect(secret).toHaveLength(32);
    expect(readAlertSecret(null, embeddedStore(folder.path), true)).toEqual(secret);
    expect(readAlertSecret(null, embeddedStore(folder.path), false)).toEqual(secret);
    expect(readdirSync(folder.path)).toEqual(['alerts.key']);
    if (process.platform !== 'win32') {
      expect(statSync(join(folder.path, 'alerts.key')).mode & 0o777).toBe(0o600);
    }
  });

  it('prefers the configured secret', () => {
    const configured = new Uint8Array(32).fill(7);
    expect(readAlertSecret(configured, embeddedStore(folder.path), false)).toBe(configured);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('rejects a file of another length', () => {
    writeFileSync(join(folder.path, 'alerts.key'), 'short');
    expect(() => readAlertSecret(null, embeddedStore(folder.path), true)).toThrow(
      /alerts\.key must have 32 bytes/,
    );
  });

  it('rejects a store whose alerts were encrypted with another key', async () => {
    const openWith = (byte: number) =>
      openAlertStore(embeddedStore(folder.path), () => alertKeys(new Uint8Array(32).fill(byte)));
    await (await openWith(0)).close();
    await (await openWith(0)).close();
    await expect(() => openWith(1)).rejects.toThrow(/another key/);
    expect(readFileSync(join(folder.path, 'inventory.sqlite')).length).toBeGreaterThan(0);
  });

  it("does not replace a store's missing key, and opens the store once the key is back", async () => {
    const store = embeddedStore(folder.path);
    const open = () =>
      openAlertStore(store, (mayCreate) => alertKeys(readAlertSecret(null, store, mayCreate)));
    await (await open()).close();
    const [key, copy] = [join(folder.path, 'alerts.key'), join(folder.path, 'copy')];
    renameSync(key, copy);
    await expect(open).rejects.toThrow(/alerts\.key is missing.*Put your copy of it there/);
    expect(readdirSync(folder.path)).not.toContain('alerts.key');
    renameSync(copy, key);
    await (await open()).close();
  });

  it.each([
    ['00'.repeat(32), true],
    [Buffer.alloc(32).toString('base64'), true],
    [Buffer.alloc(32, 255).toString('base64url'), true],
    ['00'.repeat(31), false],
    [Buffer.alloc(31).toString('base64'), false],
    ['', false],
    ['a phrase that is no key at all, but long enough', false],
  ])('parses %j as a secret: %s', (text, isSecret) => {
    expect(parseSecret(text)?.length ?? null).toBe(isSecret ? 32 : null);
  });
});
