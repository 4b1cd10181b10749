import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { addDays, todayInLondon } from '../../domain/calendar-date.ts';
import { type RunningSkylark, startSkylark } from '../fixtures/running-skylark.ts';
import { cards, search } from './support/journeys.ts';
import { expect } from './support/skylark.ts';

test.describe('A first start on an empty folder', () => {
  let dataDir: string;
  let skylark: RunningSkylark;
  test.beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'skylark-first-'));
    skylark = await startSkylark(dataDir);
  });
  test.afterEach(async () => {
    await skylark.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('answers a search from the sample inventory', async ({ page }) => {
    await page.goto(skylark.url);
    await expect(page.getByText(/sample holidays/i).first()).toBeVisible();
    await expect(async () => {
      await page.goto(skylark.url);
      await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
      await expect(cards(page).first()).toContainText('Benidorm, Costa Blanca, Spain', { timeout: 5_000 });
    }).toPass({ timeout: 60_000 });
  });

  test('says that it is still loading if a search finds nothing', async ({ page }) => {
    const late = addDays(todayInLondon(Date.now()), 400);
    await page.goto(`${skylark.url}/results?country=Spain&from=LGW&date=${late}&nights=7`);
    const results = page.getByRole('region', { name: 'Results' });
    const status = results.getByRole('status').filter({ hasText: 'No holidays' });
    await expect(status).toContainText('No holidays found matching your search criteria.');
    await expect(status).toContainText(/sample holidays are still loading.* Search again in a minute or two/);
  });
});
