import { type BrowserContext, type Page, expect as pageExpect } from '@playwright/test';
import { formatLongDate } from '../../domain/day-words.ts';
import type { PublishedPageData } from '../../domain/published-page-data.ts';
import { DAY } from './support/another-search.ts';
import { test as anotherServer } from './support/another-server.ts';
import { cards, search } from './support/journeys.ts';
import { test as skylark } from './support/skylark.ts';

/*
 * The page works with any server that follows the contract. The same steps run against our server, and
 * against one with another origin, key, brand, lists and hotels.
 */

const POUNDS = /£([\d,]+)/;

/** From the form to an alert sign-up, using nothing that is specific to one server. */
async function wholeJourney(page: Page, context: BrowserContext, provider: string): Promise<void> {
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await pageExpect(page.getByText('Showing 1 to 10 of 23 results')).toBeVisible();
  await pageExpect(cards(page)).toHaveCount(10);

  await page.getByLabel('Sort by').selectOption({ label: 'Price high to low' });
  await pageExpect.poll(async () => isFalling(await pricesOf(page))).toBe(true);
  await page.getByLabel('Sort by').selectOption({ label: 'Price low to high' });
  await pageExpect.poll(async () => isFalling((await pricesOf(page)).reverse())).toBe(true);
  await page.getByLabel('Results per page').selectOption('5');
  for (let number = 2; number <= 5; number += 1) await page.getByRole('button', { name: 'Next' }).click();
  await pageExpect(page.getByText('Showing 21 to 23 of 23 results')).toBeVisible();
  await pageExpect(page.getByRole('button', { name: 'Next' })).toBeDisabled();

  const pageData = (): Promise<PublishedPageData | undefined> => page.evaluate(() => window.holidayPageData);
  await pageExpect
    .poll(async () => (await pageData())?.pagination)
    .toEqual({ currentPage: 5, totalPages: 5, totalResults: 23, perPage: 5 });
  const data = await pageData();
  pageExpect(data?.packages).toHaveLength(3);

  await context.route(`${provider}**`, (route) => route.fulfill({ body: 'the provider' }));
  const opened = context.waitForEvent('page');
  await cards(page)
    .first()
    .getByRole('link', { name: /^Visit site/ })
    .click();
  pageExpect((await opened).url()).toBe(data?.packages[0]?.additionalData.DeeplinkUrl);
  await (await opened).close();

  await cards(page)
    .first()
    .getByRole('button', { name: /^Set up price alerts/ })
    .click();
  await page.getByLabel('Your phone number').fill('07700 900123');
  await page.getByRole('button', { name: 'Track with WhatsApp' }).click();
  await pageExpect(page.getByRole('button', { name: 'Submitted' })).toBeVisible();
  await page.keyboard.press('Escape');

  const address = new URL(page.url());
  address.searchParams.set('date', DAY);
  address.searchParams.set('page', '1');
  await page.goto(address.href);
  await pageExpect(cards(page).first()).toContainText(formatLongDate(DAY));
}

// @proves 1.2, 1.3, 2.38
skylark('the whole journey against our own server', async ({ page, context }) => {
  await wholeJourney(page, context, 'https://www.sunward.example/');
});

// @proves 1.2, 1.4, 7.3, 7.4
anotherServer('the whole journey against a server that is not ours', async ({ page, context, mock }) => {
  await wholeJourney(page, context, 'https://www.seaward.example/');
  pageExpect(mock.signUps).toEqual([
    {
      user: { platform: 'whatsapp', channel: 'channel-9', channel_id: '447700900123' },
      intentName: 'alertSignup',
      intent: { packageHoliday: pageExpect.objectContaining({ Brand: 'SEA' }) },
    },
  ]);
});

// @proves 6.1, 7.1, 7.5, 7.9, 9.1, 9.9
anotherServer('the search call is exactly what Section 7 says', async ({ page, mock }) => {
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await pageExpect(cards(page)).toHaveCount(10);
  const [{ headers, body }] = mock.searches as [(typeof mock.searches)[number]];
  pageExpect(headers['content-type']).toBe('application/json');
  pageExpect(headers['x-api-key']).toBe('a-key-of-another-server');
  pageExpect(Object.keys(body).toSorted()).toEqual(['query', 'variables']);
  pageExpect(body.query).toMatch(
    /searchPackages\(filters: \$filters, sortBy: \$sortBy, limit: \$limit, nextToken: \$nextToken\)/,
  );
  const { filters, ...rest } = body.variables;
  pageExpect(rest).toEqual({ sortBy: 'PRICE_ASC', limit: 100, nextToken: null });
  pageExpect(filters).toEqual({
    brand: 'SEA',
    country: 'Spain',
    region: 'Costa Blanca',
    resort: 'Benidorm',
    startDate: pageExpect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    endDate: pageExpect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    departureAirports: ['LGW'],
    numberOfAdults: 2,
    numberOfChildren: 0,
    numberOfInfants: 0,
    duration: 7,
  });
});

anotherServer('a host without a config.json, or with a faulty one, is no broken page', async ({ page }) => {
  await page.route('**/config.json', (route) => route.fulfill({ status: 404, body: 'none' }));
  await page.goto('/');
  await pageExpect(page.getByRole('banner')).toContainText('Skylark');
  await page.unroute('**/config.json');
  await page.route('**/config.json', async (route) => {
    const response = await route.fetch();
    const settings = (await response.json()) as object;
    await route.fulfill({ json: { ...settings, providerUrl: 'javascript:alert(1)', providers: null } });
  });
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await pageExpect(cards(page)).toHaveCount(10);
  const provider = page.getByRole('contentinfo').getByRole('link', { name: 'Seaward Travel' });
  await pageExpect(provider).toHaveAttribute('href', '/');
});

async function pricesOf(page: Page): Promise<number[]> {
  const texts = await cards(page).allTextContents();
  return texts.map((text) => Number(POUNDS.exec(text)?.[1]?.replace(',', '')));
}

function isFalling(prices: readonly number[]): boolean {
  return prices.length === 10 && prices.every((price, at) => at === 0 || price <= (prices[at - 1] ?? 0));
}
