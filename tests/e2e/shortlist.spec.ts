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

test('says so if a heart cannot save because the storage is full', async ({ page }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError');
    };
  });
  await page.goto(resultsUrl());
  await heart(page, 0).click();
  await expect(cards(page).first()).toContainText('We couldn’t save that');
  await expect(heart(page, 0)).toHaveAttribute('aria-pressed', 'false');
});

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
  await expect(page.getByRole('link', { name: 'Shortlist (2)' })).toBeVisible();
  await page.getByRole('link', { name: 'Compare 2 saved' }).click();
  await expect(page).toHaveTitle(/^Your shortlist/);
  await expect(column(page, 0)).toContainText(names[0] ?? '');
  await expect(column(page, 1)).toContainText(names[2] ?? '');
  await expect(page.getByRole('row', { name: /^Price/ })).toContainText(
    `£${benidormPrice(BENIDORM_BY_PRICE[0] ?? 0)}`,
  );
  await expect(page.getByRole('row', { name: /^Flights/ })).toContainText('Gatwick');
  await expect(page.getByRole('row', { name: /^Place/ })).toContainText('Benidorm, Costa Blanca, Spain');
  await expect(page.getByRole('row', { name: /^Book with/ }).getByRole('link')).toHaveCount(2);

  await expect(page).toHaveURL(/\/shortlist$/);
  await page.addInitScript(() => {
    navigator.share = (data) => {
      sessionStorage.setItem('shared', data?.url ?? '');
      return Promise.resolve();
    };
  });
  await page.reload();
  await page.getByRole('button', { name: 'Share this shortlist' }).click();
  const sharedUrl = () => page.evaluate(() => sessionStorage.getItem('shared') ?? '');
  await expect.poll(sharedUrl).toContain('/shortlist?saved=');
  const shared = new URL(await sharedUrl());
  const [first = '', second = ''] = shared.searchParams.getAll('saved');
  const [pounds = ''] = first.split('~');
  const invented = first.replace(/^\d+~(.*)~.*/, '3000~$1~Call 0900 1');
  const gone = second.replace(/^\d+~[^:]+:([^~]*)~.*/, '480~NONE:$1~Call 0900 1');
  shared.search = new URLSearchParams([
    ['saved', invented],
    ['saved', gone],
    ['saved', '12'],
  ]).toString();
  const context = await browser.newContext({ baseURL: baseURL ?? '' });
  const other = await context.newPage();
  await other.goto(shared.href);
  const price = other.getByRole('row', { name: /^Price/ });
  // Anyone can write a link, so it proves neither a price nor a name.
  await expect(price.getByRole('cell')).toHaveText([new RegExp(`^£${pounds}(in total|with)`), 'Sold out']);
  await expect(column(other, 0)).toContainText(names[0] ?? '');
  await expect(column(other, 1)).toHaveText('A holiday that’s gone');
  await expect(other.getByText('0900')).toHaveCount(0);
  const dearer = Number(pounds) + 31;
  await addToHistories(other, dearer);
  await other.goto(`/shortlist?saved=${encodeURIComponent(first.replace(/^\d+/, String(dearer)))}`);
  await expect(price.getByRole('cell')).toHaveText([/now £31 less/]);
  await expect(heart(other, 0)).toHaveAttribute('aria-pressed', 'false');
  await heart(other, 0).click();
  await expect(other.getByRole('link', { name: 'Shortlist (1)' })).toBeVisible();
  await other.getByRole('link', { name: names[0] ?? '', exact: true }).click();
  await expect(other.getByRole('heading', { level: 1, name: names[0] ?? '' })).toBeVisible();
  await context.close();
});

/** Adds a price to the price histories that the server sends to a page. */
async function addToHistories(page: Page, price: number): Promise<void> {
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('priceHistory(') !== true) return route.fallback();
    const response = await route.fetch();
    const { data } = await response.json();
    data.priceHistory.prices.unshift({ day: data.priceHistory.from, price });
    await route.fulfill({ response, json: { data } });
  });
}

test('removes a holiday by keyboard, and keeps the table and the focus', async ({ page }) => {
  await page.goto(resultsUrl());
  for (const nth of [0, 1, 2]) await heart(page, nth).click();
  await page.getByRole('link', { name: 'Shortlist (3)' }).click();
  await expect(page.getByRole('table')).toBeVisible();
  let searches = 0;
  await page.route('**/graphql', (route) => {
    searches += 1;
    return route.fallback();
  });
  await heart(page, 1).focus();
  await page.keyboard.press('Enter');
  await expect(heart(page, 1)).toHaveCount(0);
  await expect(heart(page, 2)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(heart(page, 2)).toHaveCount(0);
  await expect(heart(page, 0)).toBeFocused();
  await expect(page.getByRole('row', { name: /^Price/ }).getByRole('cell')).toHaveCount(1);
  expect(searches).toBe(0);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'You haven’t saved a holiday yet' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Your shortlist' })).toBeFocused();
});

test('saves all holidays of a shared list, as far as there is room', async ({ page }) => {
  await page.goto(resultsUrl());
  const key = async (nth: number) =>
    `${benidormPrice(BENIDORM_BY_PRICE[nth] ?? 0)}~${await cards(page).nth(nth).locator('[data-price-analysis]').getAttribute('data-price-analysis')}~${names[nth]}`;
  const link = `/shortlist?${new URLSearchParams([
    ['saved', await key(0)],
    ['saved', await key(1)],
  ])}`;
  await heart(page, 4).click();
  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1, name: 'A shared shortlist' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Shortlist (1)' })).toBeVisible();
  await page.getByRole('button', { name: 'Save all' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/shortlist$/);
  await expect(page.getByRole('link', { name: 'Shortlist (3)' })).toBeVisible();
  await expect(column(page, 2)).toContainText(names[1] ?? '');
  await expect(page.locator(':focus')).toHaveCount(1);

  await page.goto(resultsUrl());
  for (const nth of [0, 2, 3]) await heart(page, nth).click();
  await expect(page.getByRole('link', { name: 'Shortlist (4)' })).toBeVisible();
  await page.goto(link);
  await page.getByRole('button', { name: 'Save all' }).click();
  await expect(page.getByText('You can save 4. Remove 1 from your shortlist first')).toBeVisible();
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
