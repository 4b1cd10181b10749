import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { addDays } from '../../domain/calendar-date.ts';
import { formatShortDate } from '../../domain/day-words.ts';
import { BENIDORM_HOTELS, TODAY } from '../fixtures/market.ts';
import { airportField, cards, destinationField, pick, search, searchButton } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';
import { startStaticHost } from './support/static-host.ts';

const BUILT = 'dist/web';
const A_SEARCH = `/results?country=Spain&region=Costa+Blanca&resort=Benidorm&from=LGW&date=${addDays(TODAY, 9)}&nights=7`;
const LOCATIONS = 'country,region,resort\nSpain,Costa Blanca,Benidorm\n';
const AIRPORTS = 'London Gatwick,LGW,\n';

/** Collects the page's errors, to which React adds hydration mismatches. */
function complaints(page: Page): string[] {
  const heard: string[] = [];
  page.on('pageerror', (error) => heard.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) heard.push(message.text());
  });
  return heard;
}

test('builds a page with the shell, without broken file references and with only its stylesheet inline', () => {
  for (const file of ['index.html', 'results.html']) {
    const html = readFileSync(join(BUILT, file), 'utf8');
    expect(html).toContain('Where do you want to go?');
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style(?! data-sheet=)|\sstyle=|\son[a-z]+=/i);
    const [, sheet = '', css = ''] = /<style data-sheet="([^"]+)">(.*?)<\/style>/s.exec(html) ?? [];
    expect(readFileSync(join(BUILT, sheet), 'utf8').trim()).toBe(css);
    for (const [, named = ''] of html.matchAll(/(?:src|href)="\/([^"?#]+)"/g)) {
      if (named !== 'config.json') expect(existsSync(join(BUILT, named)), named).toBe(true);
    }
  }
  expect(readFileSync(join(BUILT, 'results.html'), 'utf8')).toContain('Loading results...');
});

for (const address of ['/', '/results', A_SEARCH, '/results?from=%00&date=1', '/alerts']) {
  test(`hydrates without a mismatch: ${address}`, async ({ page }) => {
    const heard = complaints(page);
    await page.goto(address);
    await expect(page.getByLabel('When')).not.toHaveValue('');
    if (address === A_SEARCH) await expect(cards(page)).toHaveCount(10);
    await expect(page.getByLabel('When')).toHaveValue(
      formatShortDate(addDays(TODAY, address === A_SEARCH ? 9 : 1)),
    );
    expect(heard).toEqual([]);
  });
}

test('loads the stylesheet as a file if the host blocks the inline one', async ({ page }) => {
  const host = await startStaticHost(
    BUILT,
    { '/config.json': '{}', '/data/locations.csv': LOCATIONS, '/data/departure-airports.csv': AIRPORTS },
    { 'content-security-policy': "default-src 'self'; style-src 'self'" },
  );
  const sheet = page.waitForResponse((response) => response.url().endsWith('.css'));
  await page.goto(host.url);
  expect((await sheet).ok()).toBe(true);
  await expect(page.getByRole('main')).toHaveCSS('flex-grow', '1');
  await host.close();
});

test('fetches no stylesheet before the first paint under our policy', async ({ page }) => {
  const fetched: string[] = [];
  page.on(
    'request',
    (request) => void (request.resourceType() === 'stylesheet' && fetched.push(request.url())),
  );
  await page.goto('/');
  await expect(page.getByRole('main')).toHaveCSS('flex-grow', '1');
  await expect(page.getByLabel('When')).not.toHaveValue('');
  expect(fetched).toEqual([]);
});

test('hydrates without a warning in a development build of React', async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'skylark-page-'));
  const built = spawnSync('npx', ['vite', 'build', '--mode', 'development', '--outDir', folder], {
    env: { ...process.env, NODE_ENV: 'development' },
    encoding: 'utf8',
  });
  expect(built.status, built.stderr).toBe(0);
  const host = await startStaticHost(folder, {
    '/config.json': JSON.stringify({ brandName: 'Seaward', providerUrl: 'https://www.seaward.example/' }),
    '/data/locations.csv': LOCATIONS,
    '/data/departure-airports.csv': AIRPORTS,
  });
  const heard = complaints(page);
  for (const address of ['/', '/results.html', '/results?country=Spain&from=LON', '/alerts']) {
    await page.goto(host.url + address);
    await expect(page.getByRole('banner')).toContainText('Seaward');
    await expect(page.getByLabel('When')).not.toHaveValue('');
  }
  expect(heard).toEqual([]);
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

test('shows the form before any script has loaded, without anything that depends on the clock', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ baseURL: baseURL ?? '' });
  const page = await context.newPage();
  await page.route('**/*.js', (route) => route.abort());
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByLabel('Destination')).toBeVisible();
  await expect(page.getByLabel('When')).toHaveValue('');
  await page.goto('/results?country=Spain');
  await expect(page.getByText('Loading results...')).toBeVisible();
  await context.close();
});

test('keeps what is typed or chosen before hydration', async ({ page }) => {
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/index-*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByLabel('How long').selectOption('14');
  await destinationField(page).click();
  await page.keyboard.type('benid');
  release();
  await expect(page.getByLabel('When')).not.toHaveValue('');
  await expect(destinationField(page)).toHaveValue('benid');
  await expect(page.getByLabel('How long')).toHaveValue('14');
  await expect(page.getByRole('option', { name: 'Benidorm, Costa Blanca, Spain' })).toBeVisible();
  await page.keyboard.type('o');
  await expect(destinationField(page)).toHaveValue('benido');
  await page.keyboard.press('Enter');
  await pick(page, airportField(page), 'Gatwick', /Gatwick/);
  await searchButton(page).click();
  await expect(page).toHaveURL(/resort=Benidorm&.*nights=14/);
});

test.describe('On a static host', () => {
  test.use({ serviceWorkers: 'allow' });

  test("searches the server that a static host's config.json names", async ({ page, skylark }) => {
    const host = await startStaticHost(BUILT, {
      '/config.json': JSON.stringify({
        searchEndpoint: `${skylark.url}/graphql`,
        searchApiKey: 'skylark-public',
        locationsUrl: '/lists/places.csv',
        departureAirportsUrl: '/lists/airports.csv',
        brandName: 'Seaward',
      }),
      '/lists/places.csv': LOCATIONS,
      '/lists/airports.csv': AIRPORTS,
    });
    const heard = complaints(page);
    await page.goto(host.url);
    await expect(page.getByRole('banner')).toContainText('Seaward');
    await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
    await expect(page.getByText(`Showing 1 to 10 of ${BENIDORM_HOTELS} results`)).toBeVisible();
    // The host has no '/results', so it sends the front page, which then shows the results.
    await page.reload();
    await expect(cards(page)).toHaveCount(10);
    expect(heard).toEqual([]);
    await host.close();
  });
});

test('fails the search if its code cannot be loaded, and reloads the page', async ({ page }) => {
  await page.route('**/assets/LoadedResults-*', (route) => route.abort());
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await expect(page.getByText('Failed to search holidays. Please try again.')).toBeVisible();
  await page.unroute('**/assets/LoadedResults-*');
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await expect(cards(page)).toHaveCount(10);
});
