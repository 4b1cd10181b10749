import { spawnSync } from 'node:child_process';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { beginAttempt, endAttempt } from '../../server/feed/attempts/attempt-table.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import { embeddedStore } from '../../server/storage/store-address.ts';
import { marketFolder, type RunningSkylark, startSkylark } from '../fixtures/running-skylark.ts';

const PASSWORD = 'a password for tests only';

let skylark: RunningSkylark;
let market: Awaited<ReturnType<typeof marketFolder>>;
test.beforeAll(async () => {
  market = await marketFolder();
  skylark = await startSkylark(market.dataDir, { SAMPLE_INVENTORY: 'off' });
  const set = spawnSync('node', ['server/cli/admin.ts', 'password', '--stdin'], {
    env: { ...process.env, DATA_DIR: market.dataDir },
    input: `${PASSWORD}\n`,
    encoding: 'utf8',
  });
  expect(set.stdout).toBe('The password of /admin is set.\n');
});
/** Records an import attempt that waits for review, as an import does. */
async function holdFeed(): Promise<void> {
  const database = await openDatabase(embeddedStore(market.dataDir));
  const id = await beginAttempt(database, { provider: 'SUN', source: 'feed.csv', now: Date.now() });
  const message = '62% fewer packages than yesterday';
  await endAttempt(database, id, { outcome: 'held', message, detail: {}, now: Date.now() });
  await database.close();
}

test.afterAll(async () => {
  await skylark.stop();
  await market.remove();
});

for (const width of [375, 1440]) {
  test(`shows operators the figures after they sign in, at ${width} pixels`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    const isAccessible = async () =>
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    const fits = async () =>
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await holdFeed();
    await page.goto(`${skylark.url}/admin`);
    const password = page.getByLabel('Password');
    await password.fill('a wrong password');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toHaveText('That password is not right.');
    await isAccessible();
    await password.fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();

    await expect(page.getByRole('heading', { level: 1, name: 'Operations' })).toBeVisible();
    // Figures are read at most every ten seconds.
    await expect(async () => {
      await page.reload();
      await expect(page.getByText('A feed of SUN is held for review')).toBeVisible({ timeout: 1_000 });
    }).toPass();
    const inventory = page.getByRole('region', { name: 'Packages by provider and month of departure' });
    await expect(inventory.getByRole('rowheader').first()).toBeVisible();
    await fits();
    await isAccessible();

    await page.getByRole('link', { name: 'Add a provider' }).click();
    await page.getByLabel('Code').fill('PROV');
    await page.getByLabel('Name').fill('Provider');
    const rows = [7, 10, 14].map(
      (nights) =>
        `Hotel Sol,Spain,Benidorm,LGW,2027-06-12,${nights},TI,799.50,https://www.prov.example/${nights}`,
    );
    const buffer = Buffer.from(`hotel,country,resort,from,date,nights,board,price,url\n${rows.join('\n')}\n`);
    await page.getByLabel('Sample').setInputFiles({ name: 'feed.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Propose and check' }).click();
    await expect(page.getByText('its name, and its days are written YYYY-MM-DD')).toBeVisible();
    await expect(page.getByRole('status')).toContainText('The check has no findings.', { timeout: 60_000 });
    await fits();
    await isAccessible();
    const mapping = page.getByLabel('Mapping');
    await mapping.fill((await mapping.inputValue()).replace('{"TI":"AI"}', '{"TI":"XX"}'));
    await page.getByRole('button', { name: 'Check this mapping' }).click();
    await expect(page.getByRole('status')).toContainText('Board codes that Skylark does not know: XX (3)', {
      timeout: 60_000,
    });
    await isAccessible();
    await page.getByRole('link', { name: 'Back to operations' }).click();

    await page.getByText('Attempts of SUN').click();
    await expect(page.getByText(/held, from feed\.csv: 62% fewer packages/)).toBeVisible();
    await page.getByRole('button', { name: 'Discard it' }).click();
    await expect(page.getByRole('status')).toHaveText('The feed has been discarded.');
    await expect(page.getByText('There are no problems.')).toBeVisible();
    await isAccessible();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  });
}
