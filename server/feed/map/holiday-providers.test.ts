import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseProviders, readProviders } from './holiday-providers.ts';

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

it.each<[string, boolean]>([
  ['https://www.sunward.example/{hotel}?on={date}&for={party}', true],
  ['https://www.sunward.example/{hotel}/../{date}', false],
  ['https://www.sunward.example/%2e%2e/{hotel}', false],
  ['https://www.sunward.example:443/{hotel}', false],
  ['https://www.sunward.example\\{hotel}', false],
  ['https://{hotel}.sunward.example/', false],
  ['http://www.sunward.example/{hotel}', false],
])('accepts a link template only if a feed could have its links: %s, %s', (linkTemplate, isTaken) => {
  const sunward = { code: 'SUNW', name: 'Sunward', linkHosts: ['www.sunward.example'], linkTemplate };
  const parsed = parseProviders({ providers: [sunward] }, 'providers.json');
  expect(parsed.kind).toBe(isTaken ? 'providers' : 'refused');
});
