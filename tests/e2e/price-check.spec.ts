import type { Page } from '@playwright/test';
import { changedItem, openItems } from './support/another-search.ts';
import { expect, test } from './support/another-server.ts';
import { cards } from './support/journeys.ts';

test.beforeEach(async ({ page, mock }) => {
  await page.route('**/config.json', (route) =>
    route.fulfill({
      json: {
        ...mock.config,
        providers: {
          SEA: { name: 'Seaward Travel', priceCheckUrl: `${mock.url}/visits/check`, oftenDearer: true },
          TOY: { name: 'Toy Tours' },
        },
      },
    }),
  );
  const charged = { ProviderPrice: 480, LocalCharges: 20, LocalChargeParts: [] };
  await openItems(page, mock, [
    ...[1, 2, 3, 4].map((number) => changedItem(number, { Brand: 'SEA', additional: charged })),
    changedItem(5, { Brand: 'TOY' }),
  ]);
});

/**
 * Answers the page's checks with these prices, one after the other, or with the price for the holiday's key. Returns
 * what the page sent.
 */
async function answerChecks(
  page: Page,
  prices: readonly unknown[] | ((itemKey: string) => number),
): Promise<unknown[]> {
  const said: unknown[] = [];
  await page.route('**/visits/check', async (route) => {
    const check = route.request().postDataJSON();
    said.push(check);
    await route.fulfill({
      json: { price: typeof prices === 'function' ? prices(check.itemKey) : prices[said.length - 1] },
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' },
    });
  });
  return said;
}

test('shows the price that the provider gives when its link is about to be used, and moves nothing', async ({
  page,
}) => {
  const said = await answerChecks(page, [480, 505, null, 'much']);
  const card = (nth: number) => cards(page).nth(nth);
  const link = (nth: number) => card(nth).getByRole('link', { name: /Visit site/ });
  await expect(card(0)).toContainText('Often dearer on their site than here');
  await expect(card(4)).not.toContainText('Often dearer');
  const before = await card(0).boundingBox();
  await link(0).hover();
  await expect(card(0).getByRole('status')).toHaveText('Still £500, checked just now');
  expect(await card(0).boundingBox()).toEqual(before);
  await link(1).focus();
  await expect(card(1).getByRole('status')).toHaveText('Now £525, checked just now');
  await expect(card(1).locator('.holiday-price')).toHaveText(
    '£525for 2 adults£263 per adultwith about £20 at the hotel',
  );
  await expect(card(1)).toContainText('£505 to Seaward Travel');
  const soldOut = await card(2).boundingBox();
  await link(2).focus();
  await expect(card(2).getByRole('status')).toHaveText('Sold out, checked just now');
  await expect(card(2).locator('.holiday-price')).toHaveText(
    'Sold outwas £500for 2 adultswith about £20 at the hotel',
  );
  await expect(link(2)).toHaveCount(0);
  await expect(card(2).getByRole('button', { name: 'Gone' })).toBeDisabled();
  expect((await card(2).boundingBox())?.height).toBe(soldOut?.height);
  // The same link is not checked again, and neither is one whose provider has no check.
  await link(0).hover();
  await link(4).hover();
  await link(3).hover();
  await expect.poll(() => said.length).toBe(4);
  await expect(card(3)).not.toContainText('checked');
  expect(said[0]).toEqual({ itemKey: expect.stringMatching(/-1$/), price: 480 });
  const published = await page.evaluate(() =>
    window.holidayPageData?.packages.map(({ additionalData }) => [
      additionalData.TotalPrice,
      additionalData.Availability,
    ]),
  );
  expect(published).toEqual([
    [500, 'checked'],
    [525, 'checked'],
    [500, 'sold out'],
    [500, undefined],
    [500, undefined],
  ]);
});

test.describe('On a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 375, height: 800 } });

  test('checks the cards that rest in view, and not at the tap', async ({ page, context }) => {
    await context.route('**/*.example/**', (route) => route.fulfill({ body: 'the provider' }));
    // Cards that come into view together ask in any order.
    const said = await answerChecks(page, (itemKey) => (itemKey.endsWith('-1') ? 505 : 480));
    const first = cards(page).first();
    await first.scrollIntoViewIfNeeded();
    await expect(first.locator('.holiday-price')).toContainText('£525');
    expect(said.length).toBeLessThan(4);
    await cards(page).nth(3).scrollIntoViewIfNeeded();
    await expect(cards(page).nth(3).getByRole('status')).toContainText('Still £500');
    const asked = said.length;
    const opened = context.waitForEvent('page');
    await cards(page)
      .nth(3)
      .getByRole('link', { name: /Visit site/ })
      .tap();
    await opened;
    expect(said.length).toBe(asked);
  });
});

test('opens the provider’s site while a check has no response', async ({ page, context }) => {
  await context.route('**/*.example/**', (route) => route.fulfill({ body: 'the provider' }));
  await page.route('**/visits/check', () => {});
  const opened = context.waitForEvent('page');
  await cards(page)
    .first()
    .getByRole('link', { name: /Visit site/ })
    .click();
  await expect((await opened).getByText('the provider')).toBeVisible();
});
