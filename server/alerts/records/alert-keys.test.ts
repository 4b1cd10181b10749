import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tests/fixtures/temporary-folder.ts';
import { embeddedStore } from '../../storage/store-address.ts';
import { alertKeys, parseSecret, readAlertSecret } from './alert-keys.ts';
import { openAlertStore } from './alert-store.ts';

const NUMBER = '447700900123';

describe('alertKeys', () => {
  const keys = alertKeys(new Uint8Array(32));

  it('hashes the same text to the same, and differently for each thing and each secret', () => {
    const hash = keys.hash('number', NUMBER);
    expect(hash).toMatch(/^[\da-f]{64}$/);
    expect(alertKeys(new Uint8Array(32)).hash('number', NUMBER)).toBe(hash);
    expect(keys.hash('user', NUMBER)).not.toBe(hash);
    expect(alertKeys(new Uint8Array(32).fill(1)).hash('number', NUMBER)).not.toBe(hash);
  });

  it('opens what it sealed, never sealed the same way twice', () => {
    const sealed = keys.seal(NUMBER);
    expect(keys.open(sealed)).toBe(NUMBER);
    expect(keys.seal(NUMBER)).not.toEqual(sealed);
    expect(Buffer.from(sealed).toString('latin1')).not.toContain('7700900');
  });

  it('opens nothing that was changed or sealed under another key', () => {
    const sealed = keys.seal(NUMBER);
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = sealed.map((byte, place) => (place === index ? byte ^ 1 : byte));
      expect(() => keys.open(changed)).toThrow();
    }
    expect(() => alertKeys(new Uint8Array(32).fill(1)).open(sealed)).toThrow();
  });
});

describe('the secret', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('is made once, for its owner alone, and found again', () => {
    const secret = readAlertSecret(null, embeddedStore(folder.path));
    expect(secret).toHaveLength(32);
    expect(readAlertSecret(null, embeddedStore(folder.path))).toEqual(secret);
    expect(readdirSync(folder.path)).toEqual(['alerts.key']);
    if (process.platform !== 'win32') {
      expect(statSync(join(folder.path, 'alerts.key')).mode & 0o777).toBe(0o600);
    }
  });

  it('is the configured one where there is one', () => {
    const configured = new Uint8Array(32).fill(7);
    expect(readAlertSecret(configured, embeddedStore(folder.path))).toBe(configured);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('is refused where the file holds something else', () => {
    writeFileSync(join(folder.path, 'alerts.key'), 'short');
    expect(() => readAlertSecret(null, embeddedStore(folder.path))).toThrow(
      /alerts\.key is not a key of ours/,
    );
  });

  it('cannot be changed under a store that was made with another', () => {
    openAlertStore(embeddedStore(folder.path), alertKeys(new Uint8Array(32))).close();
    openAlertStore(embeddedStore(folder.path), alertKeys(new Uint8Array(32))).close();
    expect(() => openAlertStore(embeddedStore(folder.path), alertKeys(new Uint8Array(32).fill(1)))).toThrow(
      /another key/,
    );
    expect(readFileSync(join(folder.path, 'inventory.sqlite')).length).toBeGreaterThan(0);
  });

  it.each([
    ['00'.repeat(32), true],
    [Buffer.alloc(32).toString('base64'), true],
    [Buffer.alloc(32, 255).toString('base64url'), true],
    ['00'.repeat(31), false],
    [Buffer.alloc(31).toString('base64'), false],
    ['', false],
    ['a phrase that is no key at all, but long enough', false],
  ])('%j is a secret: %s', (text, isSecret) => {
    expect(parseSecret(text)?.length ?? null).toBe(isSecret ? 32 : null);
  });
});
