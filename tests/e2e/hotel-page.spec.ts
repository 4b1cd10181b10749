import AxeBuilder from '@axe-core/playwright';
import { cards, search } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

test('opens from a card, shows its package, and returns to the card', async ({ page }) => {
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  const card = cards(page).nth(2);
  const name = (await card.getByRole('heading').textContent()) ?? '';
  const total = (await card.locator('.holiday-price strong').textContent()) ?? '';
  await card.getByRole('heading').getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(`from ${total}`));
  await expect(page.getByRole('heading', { level: 2, name: total })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Visit site/ })).toHaveAttribute('target', '_blank');
  await page.goBack();
  await expect(cards(page).nth(2).getByRole('heading', { name })).toBeInViewport();
});

test('chooses another cell by keyboard, and sets up an alert for it', async ({ page }) => {
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await cards(page).first().getByRole('heading').getByRole('link').click();
  const grid = page.getByRole('table').first();
  const others = grid.locator('a:not([aria-current])');
  const price = (await others.first().locator('b').textContent()) ?? '';
  await others.first().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: price })).toBeVisible();
  await expect(grid.locator('a[aria-current]')).toContainText(price);
  await page.getByRole('link', { name: 'Set up price alerts' }).click();
  const marked = page.locator('article[aria-current]');
  await expect(marked.locator('.holiday-price')).toContainText(price);
  await marked.getByRole('button', { name: /Set up price alerts/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
});

for (const [width, colorScheme] of [
  [320, 'dark'],
  [375, 'light'],
  [1440, 'light'],
] as const) {
  test(`has no accessibility violation and no sideways scrolling at ${width} pixels`, async ({
    browser,
    skylark,
  }) => {
    const context = await browser.newContext({
      baseURL: skylark.url,
      colorScheme,
      javaScriptEnabled: true,
      viewport: { width, height: 740 },
    });
    const page = await context.newPage();
    await page.goto('/');
    await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
    await cards(page).first().getByRole('heading').getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await context.close();
  });
}
