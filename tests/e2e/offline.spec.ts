import type { Page } from '@playwright/test';
import { marketFolder, type RunningSkylark, startSkylark } from '../fixtures/running-skylark.ts';
import { cards, destinationField, hotelNames, results, search } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

test.use({ serviceWorkers: 'allow' });

const KEPT = /^You seem to be offline\. These prices are as of \d\d:\d\d, /;

/** Searches as a visitor does, and waits until the worker has kept the page. */
async function searchAndKeep(page: Page): Promise<string[]> {
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await expect(cards(page)).toHaveCount(10);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
  return hotelNames(page);
}

test('shows the page and the last results without a network, with their age, and new ones once it is back', async ({
  page,
  context,
}) => {
  const names = await searchAndKeep(page);
  await context.setOffline(true);
  await page.reload();
  await expect(results(page).getByText(KEPT)).toBeVisible();
  await expect.poll(() => hotelNames(page)).toEqual(names);

  await page.getByLabel('Sort by').selectOption('price-desc');
  await expect(cards(page)).toHaveCount(names.length);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Your next holiday, found' })).toBeVisible();
  await destinationField(page).fill('Benidorm');
  await expect(page.getByRole('option', { name: /^Benidorm/ }).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('navigation', { name: 'Recent searches' }).getByRole('link').first().click();
  await expect(results(page).getByText(KEPT)).toBeVisible();

  await context.setOffline(false);
  await page.getByRole('button', { name: 'Search again' }).click();
  await expect(results(page).getByText(KEPT)).toBeHidden();
  await expect(cards(page)).toHaveCount(names.length);
});

test('compares the shortlist without a network, with the age of its prices', async ({ page, context }) => {
  const [first = '', second = ''] = await searchAndKeep(page);
  for (const name of [first, second]) await page.getByRole('button', { name: `Save ${name}` }).click();
  await page.getByRole('link', { name: 'Shortlist (2)' }).click();
  const column = (name: string) => page.getByRole('columnheader', { name });
  await expect(column(second)).toBeVisible();
  await expect
    .poll(() => page.evaluate(async () => (await (await caches.open('skylark-shortlist')).keys()).length))
    .toBe(2);
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText(KEPT)).toBeVisible();
  for (const name of [first, second]) await expect(column(name)).toBeVisible();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Search again' }).click();
  await expect(page.getByText(KEPT)).toBeHidden();
  await expect(column(first)).toBeVisible();
});

test('opens an opened and a saved hotel without a network, with the age of their prices', async ({
  page,
  context,
}) => {
  await searchAndKeep(page);
  const link = (nth: number) => cards(page).nth(nth).getByRole('heading').getByRole('link');
  const [opened = '', saved = '', other = ''] = await Promise.all(
    [0, 1, 2].map(async (nth) => String(await link(nth).getAttribute('href'))),
  );
  await cards(page)
    .nth(1)
    .getByRole('button', { name: /^Save / })
    .click();
  await link(0).click();
  await expect(page.getByText('You seem to be offline.')).toBeHidden();
  const kept = (name: string) =>
    page.evaluate(async (cache) => (await (await caches.open(cache)).keys()).length, name);
  await expect.poll(() => kept('skylark-hotels')).toBe(1);
  await expect.poll(() => kept('skylark-saved-hotels')).toBe(1);
  await context.setOffline(true);
  await page.clock.install({ time: Date.now() + 3_600_000 });
  for (const href of [opened, saved]) {
    await page.goto(href);
    await expect(
      page.getByText(/^You seem to be offline\. These prices are as of \d\d:\d\d, /),
    ).toBeVisible();
    await expect(page.getByRole('link', { name: /^Visit site/ })).toBeVisible();
  }
  await expect(page.goto(other)).rejects.toThrow();
});

test('removes kept results with the recent searches', async ({ page, context }) => {
  await searchAndKeep(page);
  const url = page.url();
  await page.goto('/');
  await page.getByRole('button', { name: 'Clear recent searches' }).click();
  await expect.poll(() => page.evaluate(() => caches.has('skylark-responses'))).toBe(false);
  await context.setOffline(true);
  await page.goto(url);
  await expect(page.getByText(/^We couldn’t reach the search service/).first()).toBeVisible();
});

test('an update waits until no page of the previous build is open', async ({ browser }) => {
  const { dataDir, remove } = await marketFolder();
  let skylark: RunningSkylark = await startSkylark(dataDir, { SAMPLE_INVENTORY: 'off' });
  const { url: baseURL } = skylark;
  const context = await browser.newContext({ baseURL });
  try {
    const page = await context.newPage();
    await page.setViewportSize({ width: 1024, height: 768 });
    await searchAndKeep(page);
    await skylark.stop();
    const { port } = new URL(baseURL);
    skylark = await startSkylark(dataDir, { SAMPLE_INVENTORY: 'off', BRAND_NAME: 'Seaward', PORT: port });
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    await expect
      .poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting?.state))
      .toBe('installed');

    // The open page still loads parts of its own build, although the server could have removed them.
    await context.setOffline(true);
    await page.getByRole('button', { name: /^Filters/ }).click();
    await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible();
    await context.setOffline(false);
    // A reload gets the newer document, and leaves the worker of the open page alone.
    await page.reload();
    await expect(page).toHaveTitle(/Seaward/);

    const other = await context.newPage();
    await page.close();
    const states = () =>
      Promise.all(
        context.serviceWorkers().map((one) => one.evaluate('self.serviceWorker.state').catch(() => 'gone')),
      );
    await expect.poll(states).not.toContain('installed');
    await other.goto('/');
    const pageCaches = async () => (await caches.keys()).filter((name) => name.startsWith('skylark-page-'));
    await expect.poll(() => other.evaluate(pageCaches)).toHaveLength(1);
    await context.setOffline(true);
    await other.reload();
    await expect(other.getByRole('banner').getByRole('link', { name: 'Seaward' })).toBeVisible();
  } finally {
    await context.close();
    await skylark.stop();
    await remove();
  }
});

test('works as before where workers and storage are refused', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.addInitScript(() => {
    const refuse = () => Promise.reject(new DOMException('refused', 'SecurityError'));
    ServiceWorkerContainer.prototype.register = refuse;
    CacheStorage.prototype.open = refuse;
    CacheStorage.prototype.match = refuse;
  });
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await cards(page).first().waitFor();
  await page.getByRole('heading', { level: 3 }).first().click();
  const done = await page.evaluate(
    () => new Promise((resolve) => requestIdleCallback(() => resolve('idle'))),
  );
  expect(done).toBe('idle');
  expect(errors).toEqual([]);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
});

test('has a manifest with the brand’s name and icons', async ({ page }) => {
  await page.goto('/');
  const href = await page.locator('link[rel=manifest]').getAttribute('href');
  const manifest = await (await page.request.get(String(href))).json();
  expect(manifest).toMatchObject({ name: 'Skylark', start_url: '/', scope: '/', display: 'standalone' });
  const icons = await page.evaluate(
    (sources: string[]) =>
      Promise.all(
        sources.map(async (src) => {
          const image = new Image();
          image.src = src;
          await image.decode();
          return image.naturalWidth;
        }),
      ),
    manifest.icons.map(({ src }: { src: string }) => src),
  );
  expect(icons).toEqual([192, 512]);
  const worker = await page.request.get('/service-worker.js');
  expect(worker.headers()['cache-control']).toBe('no-cache');
});
