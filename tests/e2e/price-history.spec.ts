import AxeBuilder from '@axe-core/playwright';
import { fillWithData } from '../fixtures/full-data.ts';
import { PAGE_STATES } from '../fixtures/page-states.ts';
import { withoutHotelPages } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

const state = PAGE_STATES.find(({ name }) => name === 'price-history');

test("shows a package's prices as a plot and as a table, by keyboard", async ({ page }) => {
  await fillWithData(page);
  await withoutHotelPages(page);
  await PAGE_STATES.find(({ name }) => name === 'results')?.open(page);
  const button = page.getByRole('button', { name: /^Price history of/ }).first();
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Price history' });
  await expect(dialog.getByRole('img', { name: /seen on \d+ of 90 days/ })).toBeVisible();
  await expect(dialog.getByText(/^Lowest in 30 days: £/)).toBeVisible();
  await expect(dialog.getByText('4 in 5 holidays like this cost £17,950 to £24,150')).toBeVisible();
  await dialog.getByText('How we know').click();
  await expect(
    dialog.getByText(/^1042 holidays in 86 other hotels usually cost £21,200 now: /),
  ).toBeVisible();
  await dialog.getByText('Show as a table').focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('rowheader', { name: 'Saturday 27 February 2027' })).toBeVisible();
  // Of the 90 days, four in every 31 have no price and therefore no row.
  await expect(dialog.getByRole('row')).toHaveCount(1 + 81);
  expect((await new AxeBuilder({ page }).include('dialog').analyze()).violations).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
});

test('offers alerts below a price limit', async ({ page }) => {
  let posted: { intent: { belowPrice?: number } } | null = null;
  await page.route('**/intents', (route) => {
    posted = route.request().postDataJSON();
    return route.fulfill({ status: 200, json: { status: 'ok' } });
  });
  await state?.open(page);
  const dialog = page.getByRole('dialog', { name: 'Price history' });
  const limit = dialog.getByRole('textbox', { name: 'Alert me when the total falls below (£)' });
  await limit.fill('many');
  await expect(dialog.getByRole('alert')).toContainText('Enter whole pounds up to today');
  await limit.fill('123');
  await dialog.getByRole('button', { name: 'Alert me below £123' }).click();
  const modal = page.getByRole('dialog', { name: 'Watch this' });
  await expect(modal.getByText('below £123')).toBeVisible();
  await modal.getByLabel('Your phone number').fill('07700 900123');
  await modal.getByRole('button', { name: 'Track with WhatsApp' }).click();
  await expect(modal.getByRole('button', { name: 'Submitted' })).toBeVisible();
  expect(posted).toMatchObject({ intent: { belowPrice: 123 } });
});

test('says that the prices could not be loaded, and can retry', async ({ page }) => {
  let isBroken = true;
  await page.route('**/graphql', (route) => {
    const { query } = route.request().postDataJSON() as { query: string };
    return isBroken && query.includes('priceHistory') ? route.abort() : route.fallback();
  });
  await withoutHotelPages(page);
  await PAGE_STATES.find(({ name }) => name === 'results')?.open(page);
  await page
    .getByRole('button', { name: /^Price history of/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Price history' });
  await expect(dialog.getByText('We couldn’t load the prices.')).toBeVisible();
  isBroken = false;
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByRole('img', { name: /of 90 days/ })).toBeVisible();
});

test('has no price history if the server does not offer it', async ({ page }) => {
  const settings = (await (await page.request.get('/config.json')).json()) as object;
  await page.route('**/config.json', (route) =>
    route.fulfill({ json: { ...settings, hotelPages: false, priceHistory: false } }),
  );
  await PAGE_STATES.find(({ name }) => name === 'results')?.open(page);
  await expect(page.getByRole('article').first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^Price history/ })).toHaveCount(0);
});
