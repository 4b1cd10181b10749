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
  await expect(page.getByText(/^Guests: [\d.]+\/10 \(.+\)$/)).toBeVisible();
  await expect(page.getByRole('link', { name: /^Visit site/ })).toHaveAttribute('target', '_blank');
  await page.goBack();
  await expect(cards(page).nth(2).getByRole('heading', { name })).toBeInViewport();
  await expect(cards(page).nth(2).getByRole('heading').getByRole('link')).toBeFocused();
});

test('is closed by Back or its button, and leads to the card, whatever was chosen on it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 740 });
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  const card = cards(page).nth(4);
  const link = card.getByRole('heading').getByRole('link');
  const open = async () => {
    await link.click();
    await page.getByRole('table').first().locator('a:not([aria-current])').first().click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.getByText('By month', { exact: true }).click();
    await page.locator('.hotel-by-month a').first().click();
    await expect(page).toHaveURL(/#days$/);
  };
  await link.scrollIntoViewIfNeeded();
  await open();
  for (const close of [
    () => page.goBack(),
    () => page.getByRole('link', { name: 'Back to the results' }).click(),
  ]) {
    await close();
    await expect(link).toBeFocused();
    await expect(card).toBeInViewport();
    await open();
  }
});

test('shows the chosen day on a phone, whatever days stand before it', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 740 });
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await cards(page).first().getByRole('heading').getByRole('link').click();
  const grid = page.getByRole('table').first();
  await grid.getByRole('link').last().click();
  await grid.scrollIntoViewIfNeeded();
  await expect(grid.locator('a[aria-current]')).toBeInViewport({ ratio: 1 });
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
  const modal = page.getByRole('dialog', { name: 'Watch this' });
  await expect(modal).toContainText(`${price} now`);
  await page.goBack();
  await expect(modal).toBeHidden();
  await expect(page.getByRole('heading', { level: 2, name: price })).toBeVisible();
});

test('opens the price history, and an alert below a limit from there', async ({ page }) => {
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await cards(page).first().getByRole('heading').getByRole('link').click();
  await page.getByRole('button', { name: 'Price history' }).click();
  const history = page.getByRole('dialog', { name: 'Price history' });
  await expect(history.getByRole('img', { name: /of 90 days/ })).toBeVisible();
  await history.getByRole('button', { name: /^Alert me below £/ }).click();
  await expect(page.getByRole('dialog', { name: 'Watch this' })).toContainText('alert below £');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('counts a visit to the provider at the price that it shows', async ({ page, context }) => {
  await context.route('https://**', (route) => route.fulfill({ body: 'The provider' }));
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await cards(page).first().getByRole('heading').getByRole('link').click();
  const visit = page.waitForResponse('**/visits');
  await page.getByRole('link', { name: /^Visit site/ }).click();
  expect((await visit).status()).toBe(204);
});

test('works without scripts: alerts are one link further', async ({ browser, skylark, page }) => {
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  const href = await cards(page).first().getByRole('heading').getByRole('link').getAttribute('href');
  const context = await browser.newContext({ baseURL: skylark.url, javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(href ?? '');
  await expect(plain.getByRole('button', { name: 'Price history' })).toBeHidden();
  const alerts = await plain.getByRole('link', { name: 'Set up price alerts' }).getAttribute('href');
  await context.close();
  await page.goto(alerts ?? '');
  const marked = page.locator('article[aria-current]');
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
