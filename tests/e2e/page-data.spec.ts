import { consoleAt, DAY, resultsUrl } from './support/another-search.ts';
import { expect, test } from './support/another-server.ts';
import { cards, search } from './support/journeys.ts';

const LEG = {
  FlightNumber: expect.any(String),
  DepartureAirportCode: expect.any(String),
  ArrivalAirportCode: expect.any(String),
  DepartureDateTime: expect.any(String),
  ArrivalDateTime: expect.any(String),
  AirlineName: 'Seaward Air',
  NumberOfStops: 0,
  FlightDuration: expect.any(Number),
};

// @proves 2.39, 3.17, 3.18, 7.10
test('publishes exactly the page data that Section 3 lists', async ({ page, mock }) => {
  await page.goto(resultsUrl({ size: '2', sort: 'price-desc', page: '2' }));
  await expect(cards(page)).toHaveCount(2);
  const pageData = () => page.evaluate(() => window.holidayPageData);
  // Cards appear before the page publishes its data.
  await expect.poll(pageData).toEqual({
    packages: [expect.anything(), expect.anything()],
    pagination: { currentPage: 2, totalPages: 12, totalResults: mock.hotels.length, perPage: 2 },
    searchState: { sortBy: 'price-desc', allResultsCount: mock.hotels.length },
    lastUpdated: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  const data = await pageData();
  const [first] = data?.packages ?? [];
  expect(first).toEqual({
    ItemKey: expect.stringMatching(/^another-server-LGW/),
    Brand: 'SEA',
    FreeChild: false,
    NumberOfAdults: 2,
    NumberOfChildren: 0,
    NumberOfInfants: 0,
    hotel: expect.objectContaining({
      HotelName: expect.stringMatching(/^Hotel Faro/),
      StarRating: expect.any(Number),
      ConsumerRating: 8.4,
      HolidayResort: 'Benidorm',
    }),
    flight: { Outbound: LEG, Inbound: LEG },
    additionalData: expect.objectContaining({
      DeeplinkUrl: expect.stringMatching(/^https:\/\/www\.seaward\.example\//),
      TotalPrice: expect.any(Number),
      DepartureDate: DAY,
      Duration: 7,
      BoardBasis: 'HB',
    }),
  });
  const onCards = await cards(page)
    .locator('[data-price-analysis]')
    .evaluateAll((places) => places.map((place) => place.getAttribute('data-price-analysis')));
  expect(onCards).toEqual(data?.packages.map(({ ItemKey }) => ItemKey));
});

// @proves 3.19, 7.12
test('updates the page data with an event on every change of page, order, size and search', async ({
  page,
  mock,
}) => {
  await page.addInitScript(() => {
    const heard: unknown[] = [];
    Object.assign(window, { heard });
    window.addEventListener('holidaypagedata', () => {
      const { pagination, searchState, packages = [] } = window.holidayPageData ?? {};
      heard.push([pagination?.currentPage, pagination?.perPage, searchState?.sortBy, packages.length]);
    });
  });
  const last = () => page.evaluate(() => (window as unknown as { heard: unknown[] }).heard.at(-1));
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await expect.poll(last).toEqual([1, 10, 'default', 10]);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.poll(last).toEqual([2, 10, 'default', 10]);
  await page.getByLabel('Sort by').selectOption('stars-asc');
  await expect.poll(last).toEqual([1, 10, 'stars-asc', 10]);
  await page.getByLabel('Results per page').selectOption('5');
  await expect.poll(last).toEqual([1, 5, 'stars-asc', 5]);
  mock.hotels = [];
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect.poll(last).toEqual([1, 5, 'stars-asc', 0]);
  expect(await page.evaluate(() => window.holidayPageData?.pagination)).toEqual({
    currentPage: 1,
    totalPages: 0,
    totalResults: 0,
    perPage: 5,
  });
});

// @proves 3.17
test('publishes empty page data while no results are shown: loading, failed, and on the front page', async ({
  page,
  mock,
}) => {
  await page.addInitScript(() => {
    window.addEventListener('holidaypagedata', () => {
      const { packages = [], pagination } = window.holidayPageData ?? {};
      document.documentElement.dataset.heard = `${packages.length} of ${pagination?.totalResults}`;
    });
  });
  const heard = page.locator('html');
  const published = () => page.evaluate(() => window.holidayPageData?.packages.length);
  const shows = async (words: string, packages: number) => {
    await expect(heard).toHaveAttribute('data-heard', words);
    expect(await published()).toBe(packages);
  };
  await page.goto(resultsUrl());
  await shows('10 of 23', 10);

  mock.script.search = () => 'no answer';
  await page.getByLabel('How long').selectOption('14');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByText('Loading results...')).toBeVisible();
  await shows('0 of 0', 0);

  await page.goBack();
  await shows('10 of 23', 10);
  mock.script.search = () => ({ status: 500, body: 'no' });
  await page.getByLabel('How long').selectOption('10');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByText('API Error: 500 - no')).toBeVisible();
  await shows('0 of 0', 0);

  await page.goBack();
  await shows('10 of 23', 10);
  await page.getByRole('banner').getByRole('link').first().click();
  await shows('0 of 0', 0);
  await page.goBack();
  await shows('10 of 23', 10);
});

test('publishes empty page data for a failed first search and for an unreadable URL', async ({
  page,
  mock,
}) => {
  mock.script.search = () => ({ status: 500, body: 'no' });
  for (const [address, words] of [
    [resultsUrl(), 'API Error: 500 - no'],
    [resultsUrl({ date: '2020-01-01' }), 'We haven’t run this search yet'],
  ] as const) {
    await page.goto(address);
    await expect(page.getByText(words)).toBeVisible();
    await expect
      .poll(() => page.evaluate(() => window.holidayPageData))
      .toMatchObject({
        packages: [],
        pagination: { currentPage: 1, totalPages: 0, totalResults: 0, perPage: 10 },
      });
  }
});

// @proves 3.20
test('only warns if building the page data fails', async ({ page }) => {
  const warned = consoleAt(page, 'warning');
  await page.addInitScript(() => {
    Object.defineProperty(window, 'holidayPageData', {
      set() {
        throw new Error('a stranger owns this name');
      },
    });
  });
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  await expect
    .poll(() => warned.join())
    .toContain('The page data for the price analysis could not be published.');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Showing 11 to 20 of 23 results')).toBeVisible();
});
