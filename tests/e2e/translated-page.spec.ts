import { expect, test } from './support/skylark.ts';
import { translateLikeChrome } from './support/translate.ts';
import { walkJourneys } from './support/walk.ts';

/* Translators replace text nodes. React fails if it has to remove or move a node that is no longer there. */

test.beforeEach(async ({ page }) => {
  await page.addInitScript(translateLikeChrome);
});

test('every journey works while the page is translated', async ({ page }) => {
  test.setTimeout(120_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await walkJourneys(page);
  await expect(page.locator('main font').first()).toBeAttached();
  expect(errors).toEqual([]);
});
