import { expect, type Page } from '@playwright/test';
import { cards, destinationField, pick, results, search, searchButton } from './journeys.ts';

/**
 * Walks through the main journeys on a Skylark server with the small market: search, sort, page, dialogs,
 * calendar, Explore.
 */
export async function walkJourneys(page: Page): Promise<void> {
  await page.route('**/intents', (route) => route.fulfill({ json: {} }));
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await expect(cards(page)).toHaveCount(10);
  await walkResults(page);
  await walkDialogs(page);
  await walkForm(page);
  await walkExplore(page);
}

async function walkResults(page: Page): Promise<void> {
  await page.getByLabel('Sort by').selectOption({ label: 'Stars high to low' });
  await expect(page).toHaveURL(/sort=stars-desc/);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Page 2')).toBeVisible();
  await page.getByLabel('Results per page').selectOption('5');
  await expect(cards(page)).toHaveCount(5);
  await page.getByRole('group', { name: 'Board' }).getByRole('checkbox').first().check();
  await expect(page).toHaveURL(/boards=/);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(cards(page)).toHaveCount(5);
  await page.getByRole('button', { name: /^Share/ }).click();
}

async function walkDialogs(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Set up price alerts/ })
    .first()
    .click();
  const alerts = page.getByRole('dialog', { name: 'Watch this' });
  const phone = alerts.getByLabel('Your phone number');
  await phone.fill('123');
  await phone.press('Enter');
  await expect(alerts.getByText('Please enter a valid UK phone number')).toBeVisible();
  await phone.fill('07700 900123');
  await phone.press('Enter');
  await expect(alerts.getByText(/^Keep an eye on your WhatsApp/)).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('article').first().getByRole('heading').getByRole('link').click();
  await page.getByRole('button', { name: 'Price history' }).click();
  const history = page.getByRole('dialog', { name: 'Price history' });
  await expect(history.getByRole('img')).toBeVisible();
  await history.locator('summary').click();
  await expect(history.getByRole('table')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(history).toBeHidden();
  await page.getByRole('link', { name: 'Back to the results' }).click();

  await page.getByRole('button', { name: 'Prices by month' }).click();
  const months = page.getByRole('dialog', { name: 'Choose a departure date' });
  await expect(months.getByText(/cheapest in/)).toBeVisible();
  await months.getByRole('button', { name: 'Next month' }).click();
  await page.keyboard.press('Escape');
  await expect(months).toBeHidden();
}

async function walkForm(page: Page): Promise<void> {
  await page.getByLabel('When').click();
  const calendar = page.getByRole('dialog', { name: 'Choose a departure date' });
  await calendar.getByRole('button', { name: 'Next month' }).click();
  await calendar.getByRole('button', { name: 'Previous month' }).click();
  await page.keyboard.press('Escape');
  await expect(calendar).toBeHidden();
  await destinationField(page).fill('');
  await pick(page, destinationField(page), 'costa', /^Costa Blanca/);
  await searchButton(page).click();
  await expect(page).toHaveURL(/region=Costa/);
  await expect(cards(page).first()).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/resort=Benidorm/);
  await expect(cards(page).first()).toBeVisible();
  await page.route('**/graphql', (route) => route.fulfill({ status: 503, body: 'busy' }));
  // Another search, because the results of the last one are kept.
  await page.getByLabel('How long').selectOption('10');
  await searchButton(page).click();
  await expect(page.getByText('Failed to search holidays. Please try again.')).toBeVisible();
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(results(page).getByRole('heading', { name: /^Showing/ })).toBeVisible();
}

async function walkExplore(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Explore by price' }).click();
  const prices = page.getByRole('region', { name: 'Prices', exact: true });
  const places = prices.locator('.explore-place');
  await expect(places.first()).toBeVisible();
  await page.getByLabel('When').selectOption('any');
  await page.getByLabel('How long').selectOption('');
  await expect(places).toHaveCount(2);
  await page.getByLabel('Price up to, with charges at the hotel').fill('1');
  await expect(prices.getByRole('heading', { name: /^No holidays from/ })).toBeVisible();
  await page.getByLabel('Price up to, with charges at the hotel').fill('');
  await expect(places).toHaveCount(2);
  await page.getByLabel('From').selectOption('London Luton');
  await expect(places.first()).toBeVisible();
  await places
    .first()
    .getByRole('link', { name: /^See holidays/ })
    .click();
  await expect(cards(page).first()).toBeVisible();
  await page.goBack();
  await expect(places.first()).toBeVisible();
}
