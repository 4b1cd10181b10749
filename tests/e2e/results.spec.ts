import type { Locator } from '@playwright/test';
import { BOARD_BASIS } from '../../domain/board-basis.ts';
import { formatLongDate } from '../../domain/day-words.ts';
import { changedItem, DAY, openItems, plainNames, resultsUrl } from './support/another-search.ts';
import { expect, test } from './support/another-server.ts';
import { cards, results } from './support/journeys.ts';

const EMPTY =
  'No holidays found matching your search criteria. Try adjusting your filters or search for different dates.';

for (const size of [2, 5, 10]) {
  // @proves 2.26, 2.28, 2.29, 7.10, 9.1
  test(`counts correctly in header and pagination on every page of ${size}`, async ({ page, mock }) => {
    await page.goto(resultsUrl({ size: String(size) }));
    const total = mock.hotels.length;
    const last = Math.ceil(total / size);
    for (let number = 1; number <= last; number += 1) {
      const from = (number - 1) * size + 1;
      const to = Math.min(number * size, total);
      await expect(page.getByText(`Showing ${from} to ${to} of ${total} results`)).toBeVisible();
      await expect(page.getByText(`Page ${number}`, { exact: true })).toBeVisible();
      await expect(cards(page)).toHaveCount(to - from + 1);
      const [previous, next] = ['Previous', 'Next'].map((name) => page.getByRole('button', { name }));
      await expect(previous ?? page.locator('none')).toBeEnabled({ enabled: number > 1 });
      await expect(next ?? page.locator('none')).toBeEnabled({ enabled: number < last });
      if (number < last) await next?.click();
    }
    expect(mock.searches).toHaveLength(1);
  });
}

// @proves 2.25, 2.28, 7.12, 8.7
test('counts zero, one and a hundred packages, and has no pagination for one page', async ({
  page,
  mock,
}) => {
  mock.hotels = [];
  await page.goto(resultsUrl());
  await expect(page.getByRole('heading', { name: EMPTY })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Pages of results' })).toBeHidden();
  await expect(page.getByLabel('Sort by')).toBeHidden();

  await openItems(page, mock, [changedItem(1)]);
  await expect(page.getByText('Showing 1 to 1 of 1 results')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Pages of results' })).toBeHidden();

  const hundred = Array.from({ length: 100 }, (_, index) => changedItem(index + 1));
  await openItems(page, mock, hundred, { page: '10' });
  await expect(page.getByText('Showing 91 to 100 of 100 results')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled();
});

function sizeOf(text: Locator): Promise<number> {
  return text.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
}

test('says what is paid to the provider and what at the hotel', async ({ page, mock }) => {
  const charged = (price: number, total: number | null, parts: object[] = []) => ({
    TotalPrice: price + (total ?? 0),
    additional: { ProviderPrice: price, LocalCharges: total, LocalChargeParts: parts },
  });
  const rate = { Currency: 'EUR', Amount: 39.2, PerPound: 1.15, RateDate: '2026-11-02' };
  const published = { Source: 'https://town.example/tax', CheckedOn: '2026-11-28' };
  const none = { Name: 'no tourist tax', Pounds: 0, ...published };
  await openItems(page, mock, [
    changedItem(1, charged(989, 34.09, [{ Name: 'tourist tax', Pounds: 34.09, ...rate, ...published }])),
    changedItem(2, charged(500, null)),
    changedItem(3, charged(500, 0)),
    changedItem(4, charged(500, 12.5)),
    changedItem(5),
    changedItem(6, charged(500, 0, [none])),
    changedItem(7, charged(701.6, 6.8, [{ Name: 'tourist tax', Pounds: 6.8, IsLastKnown: true, ...rate }])),
    changedItem(8, charged(500, 60, [{ Name: 'tax', Pounds: 60, PoundsFrom: 0, How: 'set by each town' }])),
  ]);
  const line = cards(page).nth(0).locator('.local-charges');
  await expect(cards(page).nth(0)).toContainText('£1,023');
  await expect(line.locator('summary')).toHaveText(/^£989 to .+, about £34 at the hotel \(tourist tax\)$/);
  await expect(line.getByText('€39.20')).toBeHidden();
  await line.locator('summary').click();
  await expect(line).toContainText(
    'tourist tax: €39.20 at €1.15 to the pound (2 November 2026; rates change), as of 28 November 2026. Source: town.example',
  );
  await expect(line.getByRole('link')).toHaveAttribute('href', 'https://town.example/tax');
  await expect(cards(page).nth(1)).toContainText('We don’t know the charges at this hotel');
  await expect(cards(page).nth(3)).toContainText(
    /£500 to .+, about £13 at the hotel$|about £13 at the hotel/,
  );
  for (const nth of [2, 4]) await expect(cards(page).nth(nth).locator('.local-charges')).toHaveCount(0);
  await expect(cards(page).nth(5)).toContainText('Nothing to pay at the hotel');
  // The parts add up to the total that is shown.
  await expect(cards(page).nth(6)).toContainText('£708');
  await expect(cards(page).nth(6)).toContainText(/£702 to .+, about £6 at the hotel/);
  await cards(page).nth(6).locator('summary').filter({ hasText: 'tourist tax' }).click();
  await expect(cards(page).nth(6)).toContainText('rates change), last known rate');
  await expect(cards(page).nth(7)).toContainText(
    /£500 to .+, up to £60 at the hotel \(tax: set by each town\)/,
  );

  const notes = [
    'with about £34 at the hotel',
    'plus charges at the hotel',
    'in total',
    'with about £13 at the hotel',
    null,
    'in total',
    'with about £6 at the hotel',
    'with up to £60 at the hotel',
  ];
  for (const width of [375, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const [nth, note] of notes.entries()) {
      const price = cards(page).nth(nth).locator('.holiday-price');
      if (note === null) await expect(price).not.toContainText('at the hotel');
      else {
        const size = await sizeOf(price.getByText(note, { exact: true }));
        expect(size).toBeGreaterThanOrEqual((await sizeOf(price.locator('strong'))) / 2);
      }
    }
  }
});

// @proves 2.27, 7.9, 9.7, 9.8
test("sorts the loaded packages in every order, with ties in the server's order and unknown values last", async ({
  page,
  mock,
}) => {
  const time = (clock: string) => ({ DepartureDateTime_Outbound: `${DAY}T${clock}:00+00:00` });
  await openItems(page, mock, [
    changedItem(1, { TotalPrice: 800, NumberOfAdults: 4, hotel: { StarRating: 3 }, flight: time('09:00') }),
    changedItem(2, { TotalPrice: 500, hotel: { StarRating: undefined }, flight: time('06:00') }),
    changedItem(3, { TotalPrice: 500, hotel: { StarRating: 5 }, flight: time('22:30') }),
    changedItem(4, { TotalPrice: '450', hotel: { StarRating: 'four' }, flight: time('09:00') }),
    changedItem(5, { TotalPrice: 900.01, hotel: { StarRating: '4.5' }, flight: time('07:15') }),
    changedItem(6, { TotalPrice: 900, hotel: { StarRating: 3 }, flight: time('07:15') }),
  ]);
  await expect(page.getByLabel('Sort by')).toHaveValue('default');
  await expect(page.getByLabel('Sort by').getByRole('option')).toHaveText([
    'Recommended',
    'Price low to high',
    'Price high to low',
    'Departure earliest first',
    'Departure latest first',
    'Stars high to low',
    'Stars low to high',
    'Guest rating high to low',
  ]);
  const expected = {
    'Price low to high': [1, 4, 2, 3, 6, 5],
    'Price high to low': [5, 6, 2, 3, 4, 1],
    'Departure earliest first': [2, 5, 6, 1, 4, 3],
    'Departure latest first': [3, 1, 4, 5, 6, 2],
    'Stars high to low': [3, 5, 1, 6, 2, 4],
    'Stars low to high': [1, 6, 5, 3, 2, 4],
    Recommended: [1, 2, 3, 4, 5, 6],
  };
  for (const [label, order] of Object.entries(expected)) {
    await page.getByLabel('Sort by').selectOption({ label });
    await expect.poll(() => plainNames(page), label).toEqual(order.map((number) => `Hotel ${number}`));
  }
  await expect(cards(page).first()).toContainText('£800');
  expect(mock.searches.map(({ body }) => body.variables.sortBy)).toEqual(['PRICE_ASC']);
});

// @proves 2.27, 4.7, 4.8, 9.3
test('goes to page 1 after a new order or page size, and changes only the page on paging', async ({
  page,
}) => {
  await page.goto(resultsUrl({ size: '5', sort: 'stars-desc', page: '3' }));
  await expect(page.getByText('Showing 11 to 15 of 23 results')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Page 4', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Sort by')).toHaveValue('stars-desc');
  await expect(page.getByLabel('Results per page')).toHaveValue('5');
  await page.getByLabel('Sort by').selectOption({ label: 'Price high to low' });
  await expect(page.getByText('Page 1', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Page 2', { exact: true })).toBeVisible();
  await page.getByLabel('Results per page').selectOption('2');
  await expect(page.getByText('Showing 1 to 2 of 23 results')).toBeVisible();
  await expect(page.getByLabel('Results per page').getByRole('option')).toHaveText(['2', '5', '10']);
});

// @proves 7.2, 7.11
test('applies both of two changes that come before the page renders again', async ({ page }) => {
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  await page.evaluate(() => {
    for (const select of document.querySelectorAll<HTMLSelectElement>('.results-control select')) {
      select.selectedIndex = 1;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    }
  });
  await expect(page).toHaveURL(/&sort=price-asc&size=5&page=1$/);
  await expect(page.getByLabel('Sort by')).toHaveValue('price-asc');
  await expect(cards(page)).toHaveCount(5);
});

test('loads the next hundred by token, and requests a new order from the server', async ({ page, mock }) => {
  mock.hotels = Array.from({ length: 150 }, (_, index) => ({
    name: `Hotel ${index + 1}`,
    price: 300 + index,
    stars: index % 6,
    departs: '08:00',
  }));
  await page.goto(resultsUrl({ page: '10' }));
  await expect(page.getByText('Showing 91 to 100 of 100 results')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Showing 101 to 110 of 150 results')).toBeVisible();
  expect(await plainNames(page)).toContain('Hotel 101');
  const asked = () =>
    mock.searches.map(({ body }) => [body.variables.sortBy, body.variables.limit, body.variables.nextToken]);
  expect(asked()).toEqual([
    ['PRICE_ASC', 100, null],
    ['PRICE_ASC', 100, 'after-100'],
  ]);
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(page.getByText('Showing 91 to 100 of 150 results')).toBeVisible();
  expect(mock.searches).toHaveLength(2);
  mock.hotels = [...mock.hotels, { name: 'Hotel of 151', price: 9_000, stars: 1, departs: '08:00' }];
  // All results are loaded, so the page itself sorts them.
  await page.getByLabel('Sort by').selectOption({ label: 'Price high to low' });
  await expect(page.getByText('Showing 1 to 10 of 150 results')).toBeVisible();
  expect(mock.searches).toHaveLength(2);

  await page.goto(resultsUrl());
  await expect(page.getByText('Showing 1 to 10 of 100 results')).toBeVisible();
  await page.getByLabel('Sort by').selectOption({ label: 'Price high to low' });
  await expect.poll(() => plainNames(page)).toContain('Hotel of 151');
  expect(asked().slice(2)).toEqual([
    ['PRICE_ASC', 100, null],
    ['PRICE_DESC', 100, null],
  ]);
});

test('shows how many more packages the server counts, until all are loaded', async ({ page, mock }) => {
  const hotels = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      name: `Hotel ${index + 1}`,
      price: 300 + index,
      stars: 4,
      departs: '08:00',
    }));
  mock.hotels = hotels(281);
  await page.goto(resultsUrl());
  await expect(page.getByText('Showing 1 to 10 of 100 results')).toBeVisible();
  const more = (words: string) => results(page).getByRole('status').getByText(words, { exact: true });
  await expect(more('100 of 281 loaded; the rest load as you go')).toBeVisible();
  await page.goto(resultsUrl({ page: '11' }));
  await expect(page.getByText('Showing 101 to 110 of 200 results')).toBeVisible();
  await expect(more('200 of 281 loaded; the rest load as you go')).toBeVisible();
  await page.goto(resultsUrl({ page: '21' }));
  await expect(page.getByText('Showing 201 to 210 of 281 results')).toBeVisible();
  await expect(page.getByText('come as you page')).toBeHidden();

  mock.hotels = hotels(1_281);
  await page.goto(resultsUrl());
  await expect(more('100 of 1,281 loaded; the rest load as you go')).toBeVisible();
  // The server counts more packages than it returns.
  mock.script.search = () => ({ items: [changedItem(1)], count: 3 });
  await page.goto(resultsUrl({ sort: 'price-asc' }));
  await expect(more('We can show 1 of 3')).toBeVisible();
});

// @proves 2.30, 2.31, 2.32, 2.34, 2.35, 2.36, 2.39, 3.13
test('shows place, dates, flight and provider on a card in the words of the specification', async ({
  page,
  mock,
}) => {
  await openItems(page, mock, [changedItem(1, { TotalPrice: 1234.5, hotel: { StarRating: 3 } })]);
  const card = cards(page);
  await expect(card.getByRole('heading')).toHaveText('Hotel 1');
  await expect(card).toContainText('★★★');
  await expect(card).not.toContainText('★★★★');
  await expect(card.getByText('Benidorm, Costa Blanca, Spain', { exact: true })).toBeVisible();
  await expect(card).toContainText(formatLongDate(DAY));
  for (const words of ['7 nights', 'Half Board', 'Gatwick', 'Seaward Air', '2h 35m', '£1,235']) {
    await expect(card.getByText(words, { exact: true }).first()).toBeVisible();
  }
  await expect(card).toContainText('Seaward Travel');
  await expect(card).toContainText('ATOL 12345');
  await expect(card).not.toContainText('£1,335');
  await expect(card.locator('[data-price-analysis]')).toHaveAttribute(
    'data-price-analysis',
    /^another-server-LGW-.*-1$/,
  );
  const image = card.locator('img').first();
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
});

// @proves 2.33, 9.10
test('shows every board basis in words, and an unknown code unchanged', async ({ page, mock }) => {
  const boards = [...Object.entries(BOARD_BASIS), ['ZZ', 'ZZ'], ['Full', 'Full']] as const;
  await openItems(
    page,
    mock,
    boards.map(([BoardBasis], index) => changedItem(index + 1, { BoardBasis })),
  );
  for (const [index, [, words]] of boards.entries()) {
    if (index === 10) await page.getByRole('button', { name: 'Next' }).click();
    const card = cards(page).filter({
      has: page.getByRole('heading', { name: `Hotel ${index + 1}`, exact: true }),
    });
    await expect(card.getByText(words, { exact: true })).toBeVisible();
  }
});

// @proves 2.30, 2.34, 3.11
test('omits unknown details, and has no link without a URL', async ({ page, mock }) => {
  await openItems(page, mock, [
    changedItem(1, { additional: { DeeplinkUrl: undefined } }),
    changedItem(2, { additional: { DeeplinkUrl: 'javascript:alert(1)' } }),
    changedItem(3, { AdditionalData: null }),
    changedItem(4, {
      DepartureAirportCode_Outbound: 'XQZ',
      flight: { AirlineName_Outbound: undefined, AirlineName_Inbound: undefined },
    }),
    changedItem(5, { Flight: null, HolidayRegion: null, BoardBasis: null, Brand: null }),
    changedItem(6, { hotel: { StarRating: 0 } }),
    changedItem(7, { hotel: { StarRating: 5 } }),
    changedItem(8, { hotel: { StarRating: 2.5 } }),
  ]);
  const card = (number: number) => cards(page).nth(number - 1);
  const visit = (number: number) => card(number).getByText('Visit site');
  for (const number of [1, 2, 3]) await expect(visit(number)).toBeHidden();
  for (const number of [4, 5, 6, 7, 8]) await expect(visit(number)).toBeVisible();
  await expect(card(4).getByText('XQZ', { exact: true })).toBeVisible();
  await expect(card(4)).not.toContainText('Seaward Air');
  await expect(card(5)).toContainText('Benidorm, Spain');
  await expect(card(5)).toContainText(formatLongDate(DAY));
  await expect(card(5)).not.toContainText(/undefined|null|NaN/);
  await expect(card(6)).not.toContainText('★');
  await expect(card(7)).toContainText('★★★★★');
  await expect(card(8)).toContainText('★★½');
});

// @proves 1.1, 2.37
test('shows prices from £1 to £99,999 in whole pounds, rounded half up', async ({ page, mock }) => {
  const prices = [1, 99_999, 1_234.49, 1_234.5, 0.5, 1_000.005, 99_998.5];
  await openItems(
    page,
    mock,
    prices.map((TotalPrice, index) => changedItem(index + 1, { TotalPrice })),
  );
  const shown = () => cards(page).locator('strong').allTextContents();
  await expect.poll(shown).toEqual(['£1', '£99,999', '£1,234', '£1,235', '£1', '£1,000', '£99,999']);
});

const NAMES = [
  'فندق شاطئ البحر الأبيض المتوسط',
  'מלון חוף הים',
  '海辺のホテル・ベニドルム',
  'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch Gwesty',
  'Donaudampfschifffahrtsgesellschaftskapitänshotelappartementanlage',
  '<b>Hotel</b> & "Sons" <img src=x onerror=alert(1)>',
  `Hotel ${'W'.repeat(190)}`,
];

test('shows names of any script and length inside their card', async ({ page, mock }) => {
  await openItems(
    page,
    mock,
    NAMES.map((HotelName, index) => changedItem(index + 1, { hotel: { HotelName } })),
  );
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const name of NAMES) await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
  }
});
