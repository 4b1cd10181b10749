import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { zipOf } from '../../tests/fixtures/zip-of.ts';

const ECB = 'Date, USD, GBP, \n27 November 2026, 1.16, 0.8, \n';
const RATES = 'currency,per_pound,date,source\nEUR,1.15,2026-08-01,x\nAED,4.9,2026-08-01,x\n';

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder.path, 'rates.csv');
  writeFileSync(file, RATES);
});
afterEach(() => folder.remove());

async function run(words: string[], settings: Record<string, string>) {
  const command = spawn(process.execPath, [join(import.meta.dirname, 'charges.ts'), ...words], {
    env: { PATH: process.env.PATH, DATA_DIR: folder.path, ...settings },
  });
  const [out, err, [status]] = await Promise.all([
    text(command.stdout),
    text(command.stderr),
    once(command, 'exit'),
  ]);
  return { out, err, status };
}

it("updates the operator's rates from the zip of a URL, and names what it kept", async () => {
  const server = createServer((_, response) => response.end(zipOf([['eurofxref.csv', ECB]]))).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/eurofxref.zip`;
  // The rules need a rate for each of their currencies.
  const rules = join(folder.path, 'rules.csv');
  writeFileSync(rules, `${readFileSync('assets/local-charges.csv', 'utf8').split('\n')[0]}\n`);
  const settings = { EXCHANGE_RATES_FILE: file, LOCAL_CHARGES_FILE: rules, EXCHANGE_RATES_URL: url };
  const { out, err, status } = await run(['rates'], settings);
  server.close();
  expect([err, status]).toEqual(['', 0]);
  expect(out).toContain('Rates of 2026-11-27: EUR. Set by hand, or already newer: AED.');
  expect(readFileSync(file, 'utf8')).toMatch(
    /^currency,per_pound,date,source\nEUR,1\.250000,2026-11-27,https.*\nAED,4\.9,2026-08-01,x\n$/,
  );
});

it('changes nothing without a file of the operator, a source or a usable answer', async () => {
  const rules = join(folder.path, 'rules.csv');
  writeFileSync(rules, `${readFileSync('assets/local-charges.csv', 'utf8').split('\n')[0]}\n`);
  const own = { EXCHANGE_RATES_FILE: file, LOCAL_CHARGES_FILE: rules };
  expect((await run(['rates', file], {})).err).toContain('EXCHANGE_RATES_FILE must be set');
  expect((await run(['rates'], own)).err).toContain('set EXCHANGE_RATES_URL');
  expect((await run(['rates', rules], own)).err).toContain('It must be the ECB’s eurofxref CSV');
  expect(readFileSync(file, 'utf8')).toBe(RATES);
});
