import type { Page, Response } from '@playwright/test';
import { weighPage } from '../../scripts/page-bytes.ts';
import { resultsUrl } from './support/another-search.ts';
import { BUILT_PAGE } from './support/another-server.ts';
import { cards } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

/** All scripts that are fetched without interaction, including workers and idle chunks. */
async function unaskedScripts(page: Page, open: () => Promise<void>): Promise<Response[]> {
  const scripts: Response[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script' || new URL(response.url()).pathname.endsWith('.js')) {
      scripts.push(response);
    }
  });
  await open();
  await page.waitForLoadState('networkidle');
  // Within two seconds, the page starts idle work that sends requests.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestIdleCallback(() => setTimeout(resolve, 2_500));
      }),
  );
  await page.waitForLoadState('networkidle');
  return scripts;
}

/**
 * The tolerance in bytes, because hosts may compress the smallest files differently. Any script that the
 * build does not count is larger.
 */
const LEAST_FILE = 190;

/** By how many bytes the received scripts differ from the named part of the build. */
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

for (const [width, part] of [
  [375, 'JavaScript of a link to results'],
  [1440, 'JavaScript of a link to results, wide screen'],
] as const)
  test(`loads only the scripts in the budget from a link to results at ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    const scripts = await unaskedScripts(page, async () => {
      await page.goto(resultsUrl());
      await cards(page).first().waitFor();
    });
    expect(await unlike(scripts, part)).toBeLessThan(LEAST_FILE);
  });
