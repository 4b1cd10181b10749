import type { Page } from '@playwright/test';
import { BENIDORM_BY_PRICE, benidormName, benidormPrice } from '../fixtures/market.ts';
import { resultsUrl } from './support/another-search.ts';
import { cards } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

const names = BENIDORM_BY_PRICE.map(benidormName);
const heart = (page: Page, nth: number) =>
  page.getByRole('button', { name: `Save ${names[nth]}`, exact: true });
const column = (page: Page, nth: number) =>
  page
    .getByRole('table')
    .getByRole('columnheader')
    .nth(nth + 1);

test('keeps holidays on this device, and compares them by a link that works on another', async ({
  page,
  browser,
  baseURL,
}) => {
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  await expect(page.getByRole('link', { name: /^Shortlist/ })).toHaveCount(0);
  for (const nth of [0, 2]) await heart(page, nth).click();
  await expect(heart(page, 2)).toHaveAttribute('aria-pressed', 'true');
  await page.reload();
  await expect(heart(page, 2)).toHaveAttribute('aria-pressed', 'true');
  await heart(page, 1).press('Space');
  await heart(page, 1).press('Space');
  await page.getByRole('link', { name: 'Shortlist (2)' }).click();
  await expect(page).toHaveTitle(/^Your shortlist/);
  await expect(column(page, 0)).toContainText(names[0] ?? '');
  await expect(column(page, 1)).toContainText(names[2] ?? '');
  await expect(page.getByRole('row', { name: /^Total price/ })).toContainText(
    `£${benidormPrice(BENIDORM_BY_PRICE[0] ?? 0)}`,
  );
  await expect(page.getByRole('row', { name: /^Flights/ })).toContainText('Gatwick');

  const shared = new URL(page.url());
  const [first = '', second = ''] = shared.searchParams.getAll('saved');
  const dearer = first.replace(/^\d+/, (pounds) => String(Number(pounds) + 31));
  const gone = second.replace(/^\d+~[^:]+:[^:]+/, '480~NONE:GONE');
  shared.search = new URLSearchParams([
    ['saved', dearer],
    ['saved', gone],
    ['saved', '12'],
  ]).toString();
  const context = await browser.newContext({ baseURL: baseURL ?? '' });
  const other = await context.newPage();
  await other.goto(shared.href);
  const price = other.getByRole('row', { name: /^Total price/ });
  await expect(price.getByRole('cell')).toHaveText([/now £31 less/, 'Sold out. It was £480']);
  await expect(heart(other, 0)).toHaveAttribute('aria-pressed', 'false');
  await heart(other, 0).click();
  await expect(other.getByRole('link', { name: 'Shortlist (1)' })).toBeVisible();
  await other.getByRole('link', { name: names[0] ?? '', exact: true }).click();
  await expect(cards(other).first()).toHaveAttribute('aria-current', 'true');
  await context.close();
});

test('says that four holidays are the most', async ({ page }) => {
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  for (const nth of [0, 1, 2, 3, 4]) await heart(page, nth).click();
  await expect(page.getByText('You’ve saved 4. Remove one first.')).toBeVisible();
  await expect(heart(page, 4)).toHaveAttribute('aria-pressed', 'false');
});

test('says how to save a holiday, and offers no hearts where storage is refused', async ({ page }) => {
  await page.goto('/shortlist');
  await expect(page.getByRole('heading', { name: 'You haven’t saved a holiday yet' })).toBeVisible();
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('refused', 'SecurityError');
      },
    });
  });
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  await expect(page.getByRole('button', { name: /^Save / })).toHaveCount(0);
});
