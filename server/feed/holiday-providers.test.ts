import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readProviders } from './holiday-providers.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skylark-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('reads a list with a byte order mark', () => {
  const path = join(folder, 'providers.json');
  writeFileSync(path, '\uFEFF{"airports":[{"code":"ZAZ","name":"Zaragoza","timezone":"Europe/Madrid"}]}');
  expect(readProviders(path)).toMatchObject({ kind: 'providers', file: { airports: [{ code: 'ZAZ' }] } });
});

it('names the file that is not JSON', () => {
  const path = join(folder, 'providers.json');
  writeFileSync(path, '{bad');
  expect(readProviders(path)).toMatchObject({
    kind: 'refused',
    message: expect.stringMatching(/providers\.json cannot be read as JSON: .*\.$/),
  });
});
