import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { startSkylark } from '../fixtures/running-skylark.ts';
import { cards, search } from './support/journeys.ts';
import { expect } from './support/skylark.ts';

test('a first start on an empty folder answers a search from the sample inventory', async ({ page }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'skylark-first-'));
  const skylark = await startSkylark(dataDir);
  await page.goto(skylark.url);
  await expect(page.getByText(/sample inventory/i).first()).toBeVisible();
  await expect(async () => {
    await page.goto(skylark.url);
    await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
    await expect(cards(page).first()).toContainText('Benidorm, Costa Blanca, Spain', { timeout: 2_000 });
  }).toPass({ timeout: 20_000 });
  await skylark.stop();
  await rm(dataDir, { recursive: true, force: true });
});
