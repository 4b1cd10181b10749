import type { Page, Request } from '@playwright/test';
import { addDays, addMonths, formatLongDate, formatShortDate } from '../../domain/calendar-date.ts';
import {
  BENIDORM_BY_PRICE,
  BENIDORM_HOTELS,
  benidormName,
  benidormPrice,
  TODAY,
} from '../fixtures/market.ts';
import { marketFolder, startSkylark } from '../fixtures/running-skylark.ts';
import {
  airportField,
  cards,
  destinationField,
  hotelNames,
  pick,
  search,
  searchButton,
} from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

const TOMORROW = addDays(TODAY, 1);
const FAILED = 'Failed to search holidays. Please try again.';
const NONE_FOUND =
  'No holidays found matching your search criteria. Try adjusting your filters or search for different dates.';

test('searches by mouse and shows priced packages for tomorrow', async ({ page }) => {
  await page.goto('/');
  await expect(searchButton(page)).toBeDisabled();
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });

  await expect(page).toHaveURL(/\/results\?/);
  await expect(page.getByText(`Showing 1 to 10 of ${BENIDORM_HOTELS} results`)).toBeVisible();
  await expect(cards(page)).toHaveCount(10);
  const cheapest = BENIDORM_BY_PRICE[0] ?? 0;
  const first = cards(page).first();
  await expect(first.getByRole('heading')).toContainText(benidormName(cheapest));
  await expect(first).toContainText('Benidorm, Costa Blanca, Spain');
  await expect(first).toContainText(formatLongDate(TOMORROW));
  await expect(first).toContainText('7 nights');
  await expect(first).toContainText('London Gatwick');
  await expect(first).toContainText('Skylark Test Air');
  await expect(first).toContainText('2h 35m');
  await expect(first).toContainText(`£${benidormPrice(cheapest)}`);
});

test('searches by keyboard alone', async ({ page }) => {
  await page.goto('/');
  await expect(destinationField(page)).toBeVisible();
  await tabTo(page, 'Destination');
  await page.keyboard.type('benid');
  await expect(page.getByRole('option', { name: 'Benidorm, Costa Blanca, Spain' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(destinationField(page)).toHaveValue('Benidorm, Costa Blanca, Spain');
  await tabTo(page, 'Departure airport');
  await page.keyboard.type('LGW');
  await expect(page.getByRole('option', { name: /London Gatwick/ }).first()).toBeVisible();
  await pressUntilActive(page, /London Gatwick/);
  await page.keyboard.press('Enter');
  await tabTo(page, 'Search');
  await page.keyboard.press('Enter');
  await expect(page.getByText(`Showing 1 to 10 of ${BENIDORM_HOTELS} results`)).toBeVisible();
});

test('searches for a date picked from the calendar', async ({ page }) => {
  const wanted = addDays(TODAY, 40);
  await page.goto('/');
  await pick(page, destinationField(page), 'Malia', /^Malia/);
  await pick(page, airportField(page), 'Manchester', /Manchester/);
  const when = page.getByLabel('When');
  await when.click();
  const calendar = page.getByRole('dialog');
  await expect(calendar).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(calendar).toBeHidden();
  await when.press('Enter');
  await expect(calendar).toBeVisible();
  for (let step = 0; step < 39; step += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(calendar).toBeHidden();
  await expect(when).toHaveValue(formatShortDate(wanted));
  await searchButton(page).click();
  await expect(cards(page).first()).toContainText(formatLongDate(wanted));
});

test('searches all airports of a region', async ({ page }) => {
  await page.goto('/');
  await pick(page, destinationField(page), 'Malia', /^Malia/);
  await airportField(page).click();
  await page
    .getByRole('option', { name: /Select all.*London/ })
    .first()
    .click();
  await searchButton(page).click();
  await expect(page.getByText('Showing 1 to 1 of 1 results')).toBeVisible();
  const sent = await requestOfNextSearch(page, () => page.reload());
  expect(sent.variables.filters.departureAirports).toEqual(
    expect.arrayContaining(['LGW', 'LTN', 'LHR', 'STN']),
  );
});

test('resets to page 1 on sorting and page size, and changes only the page on paging', async ({ page }) => {
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await expect(cards(page)).toHaveCount(10);
  const previous = page.getByRole('button', { name: 'Previous' });
  const next = page.getByRole('button', { name: 'Next' });
  await expect(previous).toBeDisabled();
  await next.click();
  await expect(page.getByText('Page 2')).toBeVisible();
  await next.click();
  await expect(page.getByText(`Showing 21 to 23 of ${BENIDORM_HOTELS} results`)).toBeVisible();
  await expect(next).toBeDisabled();

  await page.getByLabel('Sort by').selectOption({ label: 'Price high to low' });
  await expect(page.getByText('Page 1')).toBeVisible();
  const dearestFirst = [...BENIDORM_BY_PRICE].reverse();
  const names = await hotelNames(page);
  expect(names).toHaveLength(10);
  for (const [index, name] of names.entries()) expect(name).toContain(benidormName(dearestFirst[index] ?? 0));

  await next.click();
  await page.getByLabel('Results per page').selectOption('5');
  await expect(page.getByText(`Showing 1 to 5 of ${BENIDORM_HOTELS} results`)).toBeVisible();
  await expect(cards(page)).toHaveCount(5);
});

test('goes through the pages of a search and out of it with Back and Forward', async ({ page }) => {
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Showing 11 to 20 of')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Showing 1 to 10 of')).toBeVisible();
  await page.goBack();
  await expect(cards(page)).toHaveCount(0);
  await page.goForward();
  await expect(page.getByText('Showing 1 to 10 of')).toBeVisible();
  await page.goForward();
  await expect(page.getByText('Showing 11 to 20 of')).toBeVisible();
});

test('restores the whole search from the address', async ({ page, context }) => {
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Luton' });
  await page.getByLabel('Sort by').selectOption({ label: 'Stars high to low' });
  await page.getByLabel('Results per page').selectOption('5');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Showing 6 to 10 of')).toBeVisible();
  const names = await hotelNames(page);

  await page.reload();
  await expect(page.getByText('Showing 6 to 10 of')).toBeVisible();
  expect(await hotelNames(page)).toEqual(names);
  await expect(destinationField(page)).toHaveValue('Benidorm, Costa Blanca, Spain');

  const shared = await context.newPage();
  await shared.goto(page.url());
  await expect(shared.getByText('Showing 6 to 10 of')).toBeVisible();
  expect(await hotelNames(shared)).toEqual(names);
});

test('says what to do on an empty result', async ({ page }) => {
  await page.goto('/');
  await search(page, { destination: 'Paphos', airport: 'Gatwick' });
  await expect(page.getByText(NONE_FOUND)).toBeVisible();
  await expect(cards(page)).toHaveCount(0);
});

test('shows an empty result on a bare /results, and the form on a nonsensical address', async ({ page }) => {
  await page.goto('/results');
  await expect(page.getByText(NONE_FOUND)).toBeVisible();
  await page.goto(
    `/results?country=Spain&from=%00&date=2019-99-99&nights=<b>&page=-4&sort=${'x'.repeat(500)}`,
  );
  await expect(destinationField(page)).toHaveValue('Spain (any region/any resort)');
});

// @proves 1.3, 2.38
test("opens the provider's page in a new tab without an opener on 'Visit site'", async ({
  page,
  context,
}) => {
  const asked: string[] = [];
  await context.route('https://www.sunward.example/**', async (route) => {
    asked.push(route.request().url());
    await route.fulfill({ contentType: 'text/html', body: '<title>Sunward</title>' });
  });
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  const opened = context.waitForEvent('page');
  await cards(page)
    .first()
    .getByRole('link', { name: /Visit site/ })
    .click();
  const provider = await opened;
  await expect(provider).toHaveTitle('Sunward');
  expect(await provider.evaluate(() => window.opener)).toBeNull();
  expect(asked).toEqual([
    `https://www.sunward.example/holidays/BEN${BENIDORM_BY_PRICE[0]}?from=LGW&date=${TOMORROW}&nights=7`,
  ]);
});

test('fails a search when the server stops, and keeps the form', async ({ page }) => {
  const { dataDir, remove } = await marketFolder();
  const skylark = await startSkylark(dataDir, { SAMPLE_INVENTORY: 'off' });
  await page.goto(skylark.url);
  await expect(destinationField(page)).toBeEnabled();
  await pick(page, destinationField(page), 'Benidorm', /^Benidorm/);
  await pick(page, airportField(page), 'Gatwick', /Gatwick/);
  skylark.process.kill('SIGSTOP');
  await searchButton(page).click();
  await expect(page.getByRole('button', { name: 'Searching...' })).toBeDisabled();
  skylark.process.kill('SIGKILL');
  await expect(page.getByText(FAILED)).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await expect(destinationField(page)).toHaveValue('Benidorm, Costa Blanca, Spain');

  const port = new URL(skylark.url).port;
  const again = await startSkylark(dataDir, { SAMPLE_INVENTORY: 'off', PORT: port });
  await searchButton(page).click();
  await expect(page.getByText(`Showing 1 to 10 of ${BENIDORM_HOTELS} results`)).toBeVisible();
  await again.stop();
  await remove();
});

test('publishes the shown packages for the price analysis', async ({ page }) => {
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await expect(cards(page)).toHaveCount(10);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Page 2')).toBeVisible();
  const published = () => page.evaluate(() => Reflect.get(window, 'holidayPageData') as PageData);
  await expect
    .poll(async () => (await published()).pagination)
    .toEqual({
      currentPage: 2,
      totalPages: 3,
      totalResults: BENIDORM_HOTELS,
      perPage: 10,
    });
  const keys = (await published()).packages.map(({ ItemKey }) => ItemKey);
  const mounted = await page
    .locator('[data-price-analysis]')
    .evaluateAll((elements) => elements.map((element) => element.getAttribute('data-price-analysis')));
  expect(mounted).toEqual(keys);
});

test('shows the date of an address that is months ahead', async ({ page }) => {
  const date = addMonths(TODAY, 1);
  await page.goto(`/results?country=Greece&region=Crete&resort=Malia&from=MAN&date=${date}&nights=10`);
  await expect(cards(page)).toHaveCount(1);
  await expect(page.getByLabel('When')).toHaveValue(formatShortDate(date));
  await expect(page.getByLabel('How long')).toHaveValue('10');
  await expect(cards(page).first()).toContainText('10 nights');
});

interface PageData {
  packages: { ItemKey: string }[];
  pagination: unknown;
}

async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    if ((await focused.count()) === 1) {
      const snapshot = await focused.ariaSnapshot();
      if (snapshot.includes(`"${name}"`)) return;
    }
  }
  throw new Error(`Tab never reached '${name}'`);
}

async function pressUntilActive(page: Page, option: RegExp): Promise<void> {
  for (let presses = 0; presses < 30; presses += 1) {
    const active = page.getByRole('option', { name: option, selected: true });
    if ((await active.count()) > 0) return;
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`The arrows never reached ${option}`);
}

interface SearchRequest {
  variables: { filters: { departureAirports: string[] } };
}

/** The price analysis uses the same address. */
function isSearch(sent: Request): boolean {
  return sent.url().endsWith('/graphql') && (sent.postData() ?? '').includes('searchPackages');
}

async function requestOfNextSearch(page: Page, act: () => Promise<unknown>): Promise<SearchRequest> {
  const [request] = await Promise.all([page.waitForRequest((sent) => isSearch(sent)), act()]);
  return request.postDataJSON() as SearchRequest;
}
