import { PAGE_STATES } from '../fixtures/page-states.ts';
import { expect, test } from './support/skylark.ts';
import { translateLikeChrome } from './support/translate.ts';

/* Translators replace text nodes. React fails if it has to remove or move a node that is no longer there. */

test.beforeEach(async ({ page }) => {
  await page.addInitScript(translateLikeChrome);
});

test('every state can be translated, and then left for the front page', async ({ page }) => {
  test.setTimeout(240_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  for (const { name, open } of PAGE_STATES) {
    // Its error would remain for the states after it.
    if (name === 'application-error') continue;
    await open(page);
    await expect(page.locator('body font').first(), name).toBeAttached();
    const dialog = page.locator('dialog[open]');
    if ((await dialog.count()) > 0) await page.keyboard.press('Escape');
    await page.getByRole('banner').getByRole('link').first().click();
    await expect(page.getByRole('banner'), name).toBeVisible();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(errors, name).toEqual([]);
    // A failed search would show the prices that an earlier state has kept.
    await page.evaluate(async () => {
      for (const cache of await caches.keys()) await caches.delete(cache);
    });
  }
});
