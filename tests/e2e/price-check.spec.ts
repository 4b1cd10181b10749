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

test('shows the price that the provider gives when its link is about to be used, and moves nothing', async ({
  page,
}) => {
  const said: unknown[] = [];
  const responses = [{ price: 480 }, { price: 505 }, { price: null }, { price: 'much' }];
  await page.route('**/visits/check', async (route) => {
    said.push(route.request().postDataJSON());
    await route.fulfill({
      json: responses[said.length - 1],
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' },
    });
  });
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
  await link(2).dispatchEvent('pointerdown');
  await expect(card(2).getByRole('status')).toHaveText('Sold out, checked just now');
  // The same link is not checked again, and neither is one whose provider has no check.
  await link(0).hover();
  await link(4).hover();
  await link(3).hover();
  await expect.poll(() => said.length).toBe(4);
  await expect(card(3)).not.toContainText('checked');
  expect(said[0]).toEqual({ itemKey: expect.stringMatching(/-1$/), price: 480 });
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
