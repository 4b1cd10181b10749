import type { Page } from '@playwright/test';
import { AIRPORTS, type MockServer, PLACES } from '../mock-server/mock-server.ts';
import { consoleAt, resultsUrl } from './support/another-search.ts';
import { expect, test } from './support/another-server.ts';
import {
  airportField,
  cards,
  destinationField,
  pick,
  results,
  search,
  searchButton,
} from './support/journeys.ts';

const LISTS = [
  { list: 'places', field: destinationField, noun: 'destinations', good: PLACES, option: /^Benidorm/ },
  { list: 'airports', field: airportField, noun: 'departure airports', good: AIRPORTS, option: /^Gatwick/ },
] as const;

for (const { list, field, noun, good, option } of LISTS) {
  // @proves 4.5, 4.11
  test(`the list of ${noun} is pending, then stored`, async ({ page, mock }) => {
    mock.script[list] = 'no answer';
    await page.goto('/');
    await field(page).click();
    await expect(page.getByText(/^Loading (destinations|airports)\.\.\.$/).first()).toBeVisible();
    mock.script[list] = { status: 200, body: good, type: 'text/csv' };
    await page.reload();
    await field(page).click();
    await expect(page.getByRole('option', { name: option })).toBeVisible();
  });

  for (const [what, answer] of [
    ['answered with 500', { status: 500, body: 'no' }],
    ['cut off', 'connection reset'],
    ['answered with a page', { status: 200, body: '<html></html>', type: 'text/html' }],
  ] as const) {
    // @proves 4.5, 8.9
    test(`a list of ${noun} that is ${what} is reported, and can be loaded again`, async ({ page, mock }) => {
      const logged = consoleAt(page, 'error');
      mock.script[list] = answer;
      await page.goto('/');
      const trouble = page.getByRole('alert').filter({ hasText: `We couldn’t load the ${noun}.` });
      await expect(trouble).toBeVisible();
      expect(logged.join('\n')).toContain(`The ${noun} could not be loaded.`);
      const [other] = LISTS.filter((each) => each.list !== list);
      await other?.field(page).click();
      await expect(page.getByRole('option', { name: other?.option ?? '' })).toBeVisible();
      await page.keyboard.press('Escape');
      mock.script[list] = { status: 200, body: good, type: 'text/csv' };
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(trouble).toBeHidden();
      await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
      await expect(cards(page)).toHaveCount(10);
    });
  }
}

test('waits for the airport list before it opens a URL that names an airport', async ({ page, mock }) => {
  mock.script.airports = { status: 503, body: '' };
  await page.goto(resultsUrl());
  await expect(page.getByRole('heading', { name: /couldn’t load the departure airports/ })).toBeVisible();
  expect(mock.searches).toHaveLength(0);
  mock.script.airports = { status: 200, body: AIRPORTS, type: 'text/csv' };
  await results(page).getByRole('button', { name: 'Try again' }).click();
  await expect(cards(page)).toHaveCount(10);
});

// @proves 2.23, 4.1
test('goes from loading to loaded, and on a new search from loaded to loading to empty', async ({
  page,
  mock,
}) => {
  let answer: (items: unknown[]) => void = () => {};
  const hold = (server: MockServer) => {
    server.script.search = () =>
      new Promise((resolve) => {
        answer = (items) => resolve({ items });
      });
  };
  await page.goto('/');
  hold(mock);
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await expect(page.getByRole('heading', { name: 'Loading results...' })).toBeVisible();
  await expect(page.getByLabel('Sort by')).toBeHidden();
  await expect.poll(() => mock.searches.length).toBe(1);
  answer([]);
  await expect(page.getByText('Loading results...')).toBeHidden();
  await expect(page.getByText(/^No holidays found matching/)).toBeVisible();
  mock.reset();
  await searchButton(page).click();
  await expect(page.getByText('Showing 1 to 10 of 23 results')).toBeVisible();
  mock.script.search = () => ({ status: 500, body: 'gone' });
  await page.getByLabel('How long').selectOption('14');
  await searchButton(page).click();
  await expect(page.getByText('API Error: 500 - gone')).toBeVisible();
  await expect(page.getByText('Showing 1 to 10')).toBeHidden();
});

// @proves 2.2
test("hides the results on '/', and shows them on Back without another search", async ({ page, mock }) => {
  await page.goto('/');
  await expect(assistant(page)).toBeVisible();
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Showing 11 to 20 of 23 results')).toBeVisible();
  await expect(assistant(page)).toBeHidden();
  await page.getByRole('banner').getByRole('link').first().click();
  await expect(page).toHaveURL(/\/$/);
  await expect(cards(page)).toHaveCount(0);
  await expect(assistant(page)).toBeVisible();
  await expect(destinationField(page)).toHaveValue('Benidorm, Costa Blanca, Spain');
  await page.goBack();
  await expect(page.getByText('Showing 11 to 20 of 23 results')).toBeVisible();
  expect(mock.searches).toHaveLength(1);
});

// @proves 1.6, 2.1
test("renders the same page on '/', '/results' and '/alerts': header, form, footer link to the provider", async ({
  page,
}) => {
  for (const path of ['/', '/results', '/alerts']) {
    await page.goto(path);
    await expect(page.getByRole('banner')).toContainText('Seaward');
    await expect(destinationField(page)).toBeVisible();
    const link = page.getByRole('contentinfo').getByRole('link', { name: 'Seaward Travel' });
    await expect(link).toHaveAttribute('href', 'https://www.seaward.example/');
    await expect(assistant(page)).toBeVisible({ visible: path !== '/results' });
  }
});

// @proves 5.2
test('sends no request if a part of the search is missing', async ({ page, mock }) => {
  for (const address of [
    '/results',
    '/results?country=Spain',
    '/results?from=LGW',
    '/results?country=%20&from=LGW',
  ]) {
    await page.goto(address);
    await expect(page.getByText(/^No holidays found matching/), address).toBeVisible();
  }
  expect(mock.searches).toHaveLength(0);
  await pick(page, destinationField(page), 'Benidorm', /^Benidorm/);
  await searchButton(page).click();
  await expect(cards(page)).toHaveCount(10);
});

for (const [how, goHome] of [
  ['the logo', (page: Page) => page.getByRole('banner').getByRole('link').first().click()],
  ['Back', (page: Page) => page.goBack()],
] as const) {
  // @proves 2.2
  test(`stops a running search on the way to the front page by ${how}, and enables the form`, async ({
    page,
    mock,
  }) => {
    await page.goto('/');
    mock.script.search = () => 'no answer';
    const stopped = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/holidays'));
    await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
    await expect.poll(() => mock.searches.length).toBe(1);
    await goHome(page);
    await stopped;
    await expect(page).toHaveURL(/\/$/);
    for (const field of [destinationField(page), airportField(page), page.getByLabel('When')]) {
      await expect(field).toBeEnabled();
    }
    mock.reset();
    await searchButton(page).click();
    await expect(cards(page)).toHaveCount(10);
  });
}

test('shows the form on the front page after a failed search', async ({ page, mock }) => {
  await page.goto('/');
  mock.script.search = () => ({ status: 500, body: 'no' });
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await expect(page.getByText('Failed to search holidays. Please try again.')).toBeVisible();
  await page.getByRole('banner').getByRole('link').first().click();
  await expect(destinationField(page)).toHaveValue('Benidorm, Costa Blanca, Spain');
  mock.reset();
  await page.goBack();
  await expect(cards(page)).toHaveCount(10);
});

test('reports a configuration that cannot be loaded, and can retry', async ({ page }) => {
  await page.route('**/config.json', (route) => route.fulfill({ status: 500, body: '' }));
  await page.goto('/');
  await expect(page.getByRole('alert')).toContainText('couldn’t load this page’s settings');
  await page.unroute('**/config.json');
  await page.getByRole('button', { name: 'Try again' }).click();
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await expect(cards(page)).toHaveCount(10);
});

/** The decorative image without text alternative that stands in place of the results. */
function assistant(page: Page) {
  return page.getByRole('main').locator('.assistant img');
}
