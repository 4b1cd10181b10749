import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { marketFolder, type RunningSkylark, startSkylark } from '../fixtures/running-skylark.ts';
import { resultsUrl } from './support/another-search.ts';
import { expect, test } from './support/skylark.ts';

test.use({ ignoreHTTPSErrors: true });

const COLOUR = { r: 200, g: 40, b: 160 };

let market: Awaited<ReturnType<typeof marketFolder>>;
let tiles: Awaited<ReturnType<typeof startTileServer>>;
let skylark: RunningSkylark;

test.beforeAll(async () => {
  market = await marketFolder();
  tiles = await startTileServer(market.dataDir);
  skylark = await startSkylark(market.dataDir, {
    SAMPLE_INVENTORY: 'off',
    MAP_TILES: `${tiles.origin}/streets/{z}/{x}/{y}.png`,
    MAP_ATTRIBUTION: '© The surveyors of Tilehurst',
  });
});
test.afterAll(async () => {
  await skylark.stop();
  tiles.stop();
  await market.remove();
});

test('draws the tiles that the operator names, credits them, and may call only their host', async ({
  page,
}) => {
  const coasts: string[] = [];
  page.on('request', (request) => void (request.url().endsWith('.pbf') && coasts.push(request.url())));
  const response = await page.goto(skylark.url + resultsUrl());
  const policy = response?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain(`connect-src 'self' ${tiles.origin};`);
  await page.getByRole('button', { name: 'Map', exact: true }).click();
  const map = page.getByRole('region', { name: 'Map of results' });
  await expect(map).toContainText('© The surveyors of Tilehurst');
  await expect(map).not.toContainText('OpenStreetMap');
  await expect(async () => {
    const { dominant } = await sharp(await map.locator('canvas').screenshot()).stats();
    expect(Math.abs(dominant.r - COLOUR.r) + Math.abs(dominant.g - COLOUR.g)).toBeLessThan(32);
  }).toPass();
  expect(tiles.asked[0]).toMatch(/^\/streets\/\d+\/\d+\/\d+\.png$/);
  expect(coasts).toEqual([]);

  await page.getByRole('article').first().getByRole('link').first().click();
  await expect(page.getByText('© The surveyors of Tilehurst')).toBeVisible();
});

/** A host of tiles in one colour, with a certificate of its own. */
async function startTileServer(folder: string) {
  const [key, certificate] = [join(folder, 'tiles-key.pem'), join(folder, 'tiles.pem')];
  const options = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=tiles';
  spawnSync('openssl', [...options.split(' '), '-keyout', key, '-out', certificate]);
  const create = { width: 256, height: 256, channels: 3 as const, background: COLOUR };
  const tile = await sharp({ create }).png().toBuffer();
  const asked: string[] = [];
  const secrets = { key: readFileSync(key), cert: readFileSync(certificate) };
  const server = createServer(secrets, ({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(200, { 'content-type': 'image/png', 'access-control-allow-origin': '*' }).end(tile);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin, asked, stop };
}
