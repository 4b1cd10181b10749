import { addDays } from '../../domain/calendar-date.ts';
import { formatLongDate, formatSpokenDate } from '../../domain/day-words.ts';
import { DAY, resultsUrl } from './support/another-search.ts';
import { test as anotherServer, expect } from './support/another-server.ts';
import {
  activeFilters,
  airportField,
  cards,
  chooseFilter,
  destinationField,
  search,
  searchButton,
} from './support/journeys.ts';
import { test as skylark } from './support/skylark.ts';

/* Features beyond the specification: recent searches, sharing, filters, and nearby dates. */

anotherServer('recent searches are links on this device, and can be cleared', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('navigation', { name: 'Recent searches' })).toBeHidden();
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await expect(cards(page)).toHaveCount(10);
  await page.goto('/');
  const recent = page.getByRole('navigation', { name: 'Recent searches' });
  const link = recent.getByRole('link', { name: /^Benidorm, Costa Blanca, Spain Gatwick, .* 7 nights$/ });
  await link.click();
  await expect(cards(page)).toHaveCount(10);
  await page.goBack();
  await recent.getByRole('button', { name: 'Clear recent searches' }).click();
  await expect(recent).toBeHidden();
  await page.reload();
  await expect(page.getByLabel('When')).not.toHaveValue('');
  await expect(recent).toBeHidden();
});

anotherServer('where the device refuses storage there are none, and nothing fails', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('refused', 'SecurityError');
      },
    });
  });
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await expect(cards(page)).toHaveCount(10);
  await page.goto('/');
  await expect(page.getByLabel('When')).not.toHaveValue('');
  await expect(page.getByRole('navigation', { name: 'Recent searches' })).toBeHidden();
});

anotherServer(
  'filters are asked of the server, stand in the address, and can be taken back',
  async ({ page, mock }) => {
    await page.goto(resultsUrl({ page: '2' }));
    await expect(page.getByText('Showing 11 to 20 of 23 results')).toBeVisible();
    await chooseFilter(page, 'Board', 'All-Inclusive');
    await expect(page.getByText('Showing 1 to 10 of 23 results')).toBeVisible();
    await chooseFilter(page, 'Stars', '4 stars');
    await expect(page).toHaveURL(/board=AI&stars=4/);
    await expect.poll(() => mock.searches.length).toBe(3);
    expect(mock.searches.at(-1)?.body.variables.filters).toMatchObject({ boardBasis: 'AI', starRating: 4 });
    expect(mock.searches[0]?.body.variables.filters).not.toHaveProperty('boardBasis');
    // If the filters match nothing, they can be cleared in place.
    mock.script.search = () => ({ items: [] });
    await chooseFilter(page, 'Stars', '2 stars');
    await expect(page.getByText(/^No holidays found/)).toBeVisible();
    mock.reset();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await expect(page.getByText('Showing 1 to 10 of 23 results')).toBeVisible();
    await expect(activeFilters(page)).toHaveCount(0);
    expect(mock.searches.at(-1)?.body.variables.filters).not.toHaveProperty('starRating');
    await page.goBack();
    await expect(activeFilters(page)).toHaveText([/All-Inclusive/, /2 star/]);
  },
);

anotherServer('filters end with their search: a new one is asked without them', async ({ page, mock }) => {
  await page.goto(resultsUrl({ board: 'AI', stars: '4' }));
  await expect(activeFilters(page)).toHaveText([/All-Inclusive/, /4 star/]);
  await page.getByLabel('How long').selectOption('14');
  await searchButton(page).click();
  await expect(cards(page).first()).toContainText('14 nights');
  await expect(activeFilters(page)).toHaveCount(0);
  await expect(page).not.toHaveURL(/board|stars/);
  const { filters } = mock.searches.at(-1)?.body.variables ?? {};
  expect(filters).not.toHaveProperty('boardBasis');
  expect(filters).not.toHaveProperty('starRating');
});

anotherServer('a filter that fails leaves the form alone', async ({ page, mock }) => {
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  mock.script.search = () => ({ status: 500, body: 'no' });
  await page.getByLabel('All-Inclusive', { exact: true }).click();
  await expect(page.getByText('API Error: 500 - no')).toBeVisible();
  await expect(page.getByText('Failed to search holidays')).toBeHidden();
});

anotherServer('a search is shared by its address', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'share', { value: undefined });
    delete (Navigator.prototype as Partial<Navigator>).share;
  });
  await page.goto(resultsUrl());
  await page.getByRole('button', { name: 'Share this search' }).click();
  await expect(page.getByText('Link copied.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
});

anotherServer(
  'a server that does not offer the days around is not asked for them',
  async ({ page, mock }) => {
    await page.goto(resultsUrl());
    await expect(cards(page)).toHaveCount(10);
    await expect(page.getByRole('heading', { name: 'Cheapest around these dates' })).toBeHidden();
    expect(mock.searches).toHaveLength(1);
  },
);

/** Matches the accessible name of a day's button, which begins with its visible text: 'Sat 1 May'. */
function dayChoice(date: string): RegExp {
  const [weekday = '', day = '', month = ''] = formatSpokenDate(date).split(' ');
  return new RegExp(`^${weekday.slice(0, 3)} ${day} ${month.slice(0, 3)} £`);
}

skylark('our server offers the lowest prices of the days around, and leads to them', async ({ page }) => {
  await page.goto(resultsUrl());
  const strip = page.getByRole('region', { name: 'Cheapest around these dates' });
  await expect(strip.getByRole('button')).toHaveCount(7);
  await expect(strip.getByRole('button', { name: dayChoice(DAY) })).toHaveAttribute('aria-current', 'date');
  await expect(strip).toContainText('£400');
  const next = addDays(DAY, 1);
  await strip.getByRole('button', { name: dayChoice(next) }).click();
  await expect(cards(page).first()).toContainText(formatLongDate(next));
  await expect(page).toHaveURL(new RegExp(`date=${next}`));
  await expect(strip.getByRole('button', { name: dayChoice(next) })).toHaveAttribute('aria-current', 'date');
  // These prices know no filters.
  await page
    .getByRole('complementary', { name: 'Filters' })
    .getByLabel(/^Half Board/)
    .check();
  await expect(strip).toBeHidden();
  await expect(page.getByRole('button', { name: 'Prices by month' })).toBeHidden();
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(strip.getByRole('button')).toHaveCount(7);
});

anotherServer(
  'names typed in two fields are both chosen when their lists arrive together',
  async ({ page }) => {
    const arrival = Promise.withResolvers<void>();
    await page.route('**/assets/form-parts-*.js', async (route) => {
      await arrival.promise;
      await route.continue();
    });
    await page.goto('/');
    await destinationField(page).fill('Benidorm');
    await airportField(page).fill('Gatwick');
    await page.getByLabel('How long').focus();
    arrival.resolve();
    await expect(page.getByRole('button', { name: 'Remove Gatwick' })).toBeVisible();
    await expect(destinationField(page)).toHaveValue('Benidorm, Costa Blanca, Spain');
    await searchButton(page).click();
    await expect(cards(page)).toHaveCount(10);
  },
);
