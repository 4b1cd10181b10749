import type { Locator, Page } from '@playwright/test';
import { addDays } from '../../domain/calendar-date.ts';
import { BENIDORM_BY_PRICE, benidormPrice, TODAY } from '../fixtures/market.ts';
import { airportField, cards, pick } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

/* Explore: anywhere, any time. The small market has one region in Spain and one in Greece. */

const CHEAPEST = benidormPrice(BENIDORM_BY_PRICE[0] ?? 0);
const TOMORROW = addDays(TODAY, 1);

const FAR_AND_NEAR = [
  { HolidayCountry: 'Spain', HolidayRegion: 'Majorca', Latitude: 39.6, Longitude: 2.9 },
  { HolidayCountry: 'Mexico', HolidayRegion: 'Riviera Maya', Latitude: 20.6, Longitude: -87.1 },
].map((region) => ({
  ...region,
  Months: [
    { DepartureDate: TOMORROW, TotalPrice: 400 },
    { DepartureDate: addDays(TOMORROW, 62), TotalPrice: 520 },
  ],
}));

function prices(page: Page): Locator {
  return page.getByRole('region', { name: 'Prices', exact: true });
}

function places(page: Page): Locator {
  return prices(page).locator('.explore-place');
}

function headline(page: Page): Locator {
  return prices(page).getByRole('heading', { level: 2 });
}

function map(page: Page): Locator {
  return page.getByRole('region', { name: 'Map of prices' });
}

async function offerNoExplore(page: Page): Promise<void> {
  await page.route('**/config.json', async (route) => {
    const config = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...config, explore: undefined } });
  });
}

test('a link beside the form leads to Explore with the airport of the form', async ({ page }) => {
  await page.goto('/');
  const link = page.getByRole('link', { name: 'Explore by price' });
  await expect(link).toHaveAttribute('href', '/explore');
  await pick(page, airportField(page), 'Gatwick', /Gatwick/);
  await link.click();
  await expect(page).toHaveURL('/explore?from=LGW');
  await expect(page).toHaveTitle(/^Explore holidays by price \| /);
  await expect(page.getByLabel('From')).toHaveValue('LGW');
  await expect(places(page)).toHaveCount(2);
});

test('opens with the form’s month and nights', async ({ page }) => {
  await page.goto('/');
  await pick(page, airportField(page), 'Gatwick', /Gatwick/);
  await page.getByLabel('How long').selectOption('10');
  await page.getByLabel('When').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Next month' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^\w+ 15 / })
    .click();
  const [, month = '', year = ''] = (await page.getByLabel('When').inputValue()).split('/');
  await page.getByRole('link', { name: 'Explore by price' }).click();
  await expect(page).toHaveURL(`/explore?from=LGW&when=${year}-${month}&nights=10`);
  await expect(page.getByLabel('When')).toHaveValue(`${year}-${month}`);
});

test('on a phone, choosing another airport scrolls its prices into view', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 600 });
  await page.goto('/explore');
  await expect(headline(page)).toBeVisible();
  await page.getByLabel('From').selectOption('London Luton');
  await expect(headline(page)).toHaveText(/from £/);
  await expect(headline(page)).toBeInViewport();
});

test('pressing the bar of a month shows its price', async ({ page }) => {
  await page.route('**/graphql', (route) => route.fulfill({ json: { data: { explore: FAR_AND_NEAR } } }));
  await page.goto('/explore?from=LGW&nights=7');
  const summary = places(page).first().locator('summary');
  await expect(summary).toContainText('Cheapest in');
  const bars = summary.locator('svg');
  const box = await bars.boundingBox();
  await bars.click({ position: { x: (box?.width ?? 0) - 2, y: 15 } });
  await expect(summary).toContainText('£520');
  await expect(places(page).first().locator('details')).not.toHaveAttribute('open');
});

test('without Explore in the settings, there is no link and /explore shows the form', async ({ page }) => {
  await offerNoExplore(page);
  await page.goto('/');
  await expect(page.getByLabel('When')).not.toHaveValue('');
  await expect(page.getByRole('link', { name: 'Explore by price' })).toHaveCount(0);
  await page.goto('/explore?from=LGW');
  await expect(headline(page)).toHaveText('Explore isn’t available here');
  await expect(page.getByLabel('From')).toHaveCount(0);
  await prices(page).getByRole('link', { name: 'Search for a holiday' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByLabel('When')).not.toHaveValue('');
});

test('shows each place at the price that its link finds', async ({ page }) => {
  await page.goto('/explore?from=LGW');
  await expect(headline(page)).toHaveText(
    `2 countries from £${CHEAPEST} for 2 adults, with charges at the hotel`,
  );
  const spain = places(page).filter({ has: page.getByRole('heading', { name: 'Spain' }) });
  await expect(spain).toContainText(`from £${CHEAPEST}`);
  await expect(spain).toContainText('for 2 adults');
  await expect(spain).toContainText('Cheapest in');
  await spain.getByRole('link', { name: 'See holidays in Spain' }).click();
  await expect(page).toHaveURL(
    `/results?country=Spain&region=&resort=&from=LGW&date=${TOMORROW}&nights=7&sort=price-asc&size=10&page=1`.replace(
      '&region=&resort=',
      '',
    ),
  );
  await expect(cards(page).first()).toContainText(`£${CHEAPEST}`);
  await page.goBack();
  await expect(places(page)).toHaveCount(2);
});

test('keeps the choices in the URL, so that reload, Back and Forward show them again', async ({ page }) => {
  await page.goto('/explore');
  await expect(headline(page)).toHaveText('Where are you flying from?');
  await page.getByLabel('From').selectOption('London Luton');
  await expect(page).toHaveURL('/explore?from=LTN');
  await page.getByLabel('How long').selectOption('10 nights');
  await expect(page).toHaveURL('/explore?from=LTN&nights=10');
  const month = TOMORROW.slice(0, 7);
  await page.getByLabel('When').selectOption(month);
  await expect(page).toHaveURL(`/explore?from=LTN&when=${month}&nights=10`);
  await expect(places(page).first()).toContainText('10 nights from');
  const words = await headline(page).textContent();
  await page.reload();
  await expect(headline(page)).toHaveText(words ?? '');
  await page.goBack();
  await expect(page.getByLabel('When')).toHaveValue('any');
  await page.goBack();
  await expect(page.getByLabel('How long')).toHaveValue('');
  await page.goForward();
  await expect(page.getByLabel('How long')).toHaveValue('10');
});

test('a price limit hides more expensive places without a request, and names the cheapest if none is left', async ({
  page,
}) => {
  await page.goto('/explore?from=LGW');
  await expect(places(page)).toHaveCount(2);
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql')) requests += 1;
  });
  const price = page.getByLabel('Price up to, with charges at the hotel');
  await price.fill('40 pounds');
  await expect(page.getByText('Enter whole pounds, such as 400')).toBeVisible();
  await price.fill('1');
  await expect(headline(page)).toHaveText(
    `No holidays from London Gatwick for £1 or less. The cheapest is £${CHEAPEST}, to Spain.`,
  );
  await prices(page)
    .getByRole('link', { name: `Up to £${CHEAPEST}` })
    .click();
  await expect(places(page)).toHaveCount(1);
  await expect(price).toHaveValue(String(CHEAPEST));
  await expect(page).toHaveURL(`/explore?from=LGW&max=${CHEAPEST}`);
  await page.getByLabel('Price up to, with charges at the hotel').fill('');
  await expect(places(page)).toHaveCount(2);
  expect(requests).toBe(0);
});

test('the map shows the list’s prices as links, and can be skipped', async ({ page }) => {
  await page.goto('/explore?from=LGW');
  await expect(map(page).getByRole('listitem').getByRole('link')).toHaveText([/^Spain £/, /^Greece £/]);
  await prices(page).getByRole('link', { name: 'Skip the map' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(prices(page).getByRole('link', { name: 'See holidays in Spain' })).toBeFocused();
  await map(page)
    .getByRole('link', { name: /^Greece/ })
    .click();
  await expect(page).toHaveURL(/^[^?]*\/results\?country=Greece&/);
});

test('a country shows its regions, and focus moves there', async ({ page }) => {
  await page.goto('/explore?from=LGW&country=spain');
  await expect(headline(page)).toHaveText(/^Spain: 1 region from £/);
  await expect(places(page).getByRole('heading')).toHaveText(['Costa Blanca']);
  await prices(page).getByRole('link', { name: 'All countries' }).click();
  await expect(places(page)).toHaveCount(2);
  await expect(headline(page)).toBeFocused();
});

test('a failure can be retried, and a search that is too wide names what to narrow', async ({ page }) => {
  await page.route('**/graphql', (route) => route.fulfill({ status: 503, json: { error: 'busy' } }));
  await page.goto('/explore?from=LGW');
  await expect(headline(page)).toHaveText('We couldn’t load the prices.');
  await page.unroute('**/graphql');
  await prices(page).getByRole('button', { name: 'Try again' }).click();
  await expect(places(page)).toHaveCount(2);
  await page.route('**/graphql', (route) => route.fulfill({ status: 400, json: { error: 'too much' } }));
  await page.goto('/explore?from=LGW');
  await expect(headline(page)).toHaveText('That’s too much to compare in one go.');
  await expect(prices(page).getByRole('listitem')).toHaveText([
    'When: choose a month or half-year',
    'How long: choose a number of nights',
  ]);
});

test('names the invalid parts of a URL', async ({ page }) => {
  await page.goto('/explore?from=XXX&when=2020-01&nights=5&adults=9');
  await expect(prices(page).getByRole('status').getByRole('listitem')).toHaveText([
    '‘XXX’ isn’t one of our departure airports. Choose another airport.',
    '‘2020-01’ isn’t in the next 18 months, so we’re showing any time.',
    '‘5’ isn’t available; showing 4, 7, 10 and 14 nights.',
    'We have no prices for 9 adults. These are for 2 adults.',
  ]);
  await expect(headline(page)).toHaveText('Where are you flying from?');
});

test('paints its heading before any script, and hydrates without a mismatch', async ({
  page,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' });
  const plain = await context.newPage();
  await plain.goto('/explore?from=LGW');
  await expect(plain.getByRole('heading', { level: 1, name: 'Explore' })).toBeVisible();
  await context.close();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  await page.goto('/explore?from=LGW');
  await expect(map(page).getByRole('listitem')).toHaveCount(2);
  expect(complaints).toEqual([]);
});
