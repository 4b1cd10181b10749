import type { Page, Response } from '@playwright/test';
import { weighPage } from '../../scripts/page-bytes.ts';
import { resultsAddress } from './support/another-search.ts';
import { BUILT_PAGE } from './support/another-server.ts';
import { cards } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

/** Every script that a browser fetches without its visitor's doing anything, workers and idle chunks included. */
async function unaskedScripts(page: Page, open: () => Promise<void>): Promise<Response[]> {
  const scripts: Response[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script' || new URL(response.url()).pathname.endsWith('.js')) {
      scripts.push(response);
    }
  });
  await open();
  await page.waitForLoadState('networkidle');
  // Idle work is given at most two seconds by the page; what it fetches comes after that.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestIdleCallback(() => setTimeout(resolve, 2_500));
      }),
  );
  await page.waitForLoadState('networkidle');
  return scripts;
}

/** A host may compress the smallest files in its own way; a script that nobody counted is larger. */
const LEAST_FILE = 100;

/** By how many bytes what came differs from what the build counts as a part. */
async function unlike(scripts: readonly Response[], name: string): Promise<number> {
  const sizes = await Promise.all(scripts.map((one) => one.request().sizes()));
  const came = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
  const counted = weighPage(BUILT_PAGE).find(({ part }) => part === name);
  return Math.abs(came - (counted?.bytes ?? 0));
}

test('loads only the scripts in the budget on the front page', async ({ page }) => {
  const scripts = await unaskedScripts(page, async () => {
    await page.goto('/');
    await expect(page.getByLabel('When')).not.toHaveValue('');
  });
  expect(await unlike(scripts, 'JavaScript of the first load')).toBeLessThan(LEAST_FILE);
});

test('loads only the scripts in the budget from a link to results', async ({ page }) => {
  const scripts = await unaskedScripts(page, async () => {
    await page.goto(resultsAddress());
    await cards(page).first().waitFor();
  });
  expect(await unlike(scripts, 'JavaScript of a link to results')).toBeLessThan(LEAST_FILE);
});
