import { formatShortDate } from '../../domain/day-words.ts';
import { DAY, plainNames, resultsUrl } from './support/another-search.ts';
import { expect, test } from './support/another-server.ts';
import { airportField, cards, destinationField, pick, results, searchButton } from './support/journeys.ts';

test('opens a whole search from a URL: place, airport region, day, nights, order, size and page', async ({
  page,
  mock,
}) => {
  await page.goto(resultsUrl({ from: 'region:LON', nights: '10', sort: 'stars-desc', size: '5', page: '3' }));
  await expect(page.getByText('Showing 11 to 15 of 23 results')).toBeVisible();
  await expect(destinationField(page)).toHaveValue('Benidorm, Costa Blanca, Spain');
  await expect(page.getByText('London (all 2)')).toBeVisible();
  await expect(page.getByLabel('When')).toHaveValue(formatShortDate(DAY));
  await expect(page.getByLabel('How long')).toHaveValue('10');
  await expect(page.getByLabel('Sort by')).toHaveValue('stars-desc');
  await expect(page.getByLabel('Results per page')).toHaveValue('5');
  expect(mock.searches).toHaveLength(1);
  expect(mock.searches[0]?.body.variables).toMatchObject({
    filters: { departureAirports: ['LGW', 'LTN'], duration: 10, startDate: DAY },
    sortBy: 'STAR_RATING_DESC',
    limit: 100,
  });
  const before = await plainNames(page);
  await page.reload();
  await expect(page.getByText('Showing 11 to 15 of 23 results')).toBeVisible();
  expect(await plainNames(page)).toEqual(before);
});

test('restores each search, order, size and page on Back and Forward', async ({ page }) => {
  await page.goto('/');
  await pick(page, destinationField(page), 'Benidorm', /^Benidorm/);
  await pick(page, airportField(page), 'Gatwick', /Gatwick/);
  await searchButton(page).click();
  await expect(page.getByText('Showing 1 to 10 of 23 results')).toBeVisible();
  await page.getByLabel('Results per page').selectOption('5');
  await expect(page.getByText('Showing 1 to 5 of 23 results')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Showing 6 to 10 of 23 results')).toBeVisible();
  await page.getByLabel('How long').selectOption('14');
  await searchButton(page).click();
  await expect(cards(page).first()).toContainText('14 nights');
  await expect(page.getByText('Showing 1 to 5 of 23 results')).toBeVisible();

  await page.goBack();
  await expect(page.getByText('Showing 6 to 10 of 23 results')).toBeVisible();
  await expect(cards(page).first()).toContainText('7 nights');
  await expect(page.getByLabel('How long')).toHaveValue('7');
  await page.goBack();
  await expect(page.getByText('Showing 1 to 5 of 23 results')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Showing 1 to 10 of 23 results')).toBeVisible();
  await page.goForward();
  await expect(page.getByText('Showing 1 to 5 of 23 results')).toBeVisible();
});

test('sends one request for each submission, and none on Back', async ({ page, mock }) => {
  await page.goto('/');
  await pick(page, destinationField(page), 'Benidorm', /^Benidorm/);
  await pick(page, airportField(page), 'Gatwick', /Gatwick/);
  await searchButton(page).click();
  await expect(page.getByText('Showing 1 to 10 of 23 results')).toBeVisible();
  const entries = await page.evaluate(() => history.length);
  await searchButton(page).click();
  await expect.poll(() => mock.searches.length).toBe(2);
  await expect(page.getByText('Showing 1 to 10 of 23 results')).toBeVisible();
  expect(await page.evaluate(() => history.length)).toBe(entries);

  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Showing 11 to 20 of 23 results')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Showing 1 to 10 of 23 results')).toBeVisible();
  expect(mock.searches).toHaveLength(2);
});

const HOSTILE = [
  '?',
  '?country=<script>alert(1)</script>&from="><img src=x onerror=alert(1)>',
  '?date=9999-99-99&nights=-1&page=1e9&size=0&sort=__proto__',
  '?country=%E0%A4%A&from=%00',
  `?country=${'A'.repeat(5_000)}&from=LGW`,
  '?country=Spain&country=Greece&from=LGW&from=LTN&date=&nights=&page=&size=&sort=',
  '?__proto__[polluted]=1&constructor=x&toString=y',
  '?nights=7.0&date=2027-02-30&page=-3&size=100',
  '?country=Spain&from=LGW&sort=stars-desc%00&size=5;10',
];

test('survives hostile query strings, and shows the form', async ({ page }) => {
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(String(error)));
  page.on('dialog', (dialog) => failures.push(dialog.message()));
  for (const query of HOSTILE) {
    await page.goto(`/results${query}`);
    await expect(destinationField(page), query).toBeVisible();
    await expect(results(page).getByRole('heading').first()).toHaveText(
      /^(No holidays found|We haven’t run this search yet|Showing 1 to )/,
    );
    await expect(page.getByLabel('How long')).toHaveValue('7');
    expect(await page.evaluate(() => 'polluted' in {})).toBe(false);
  }
  expect(failures).toEqual([]);
});
