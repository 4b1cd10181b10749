import type { Page } from '@playwright/test';
import type { MockServer } from '../mock-server/mock-server.ts';
import { resultsUrl } from './support/another-search.ts';
import { expect, test } from './support/another-server.ts';
import { activeFilters, cards } from './support/journeys.ts';

const named = (value: string, name: string, count: number) => ({ value, name, count });
const times = (count: number) => [
  { from: '06:00', to: '11:59', count },
  { from: '12:00', to: '17:59', count: 2 },
];
const FACETS = {
  prices: Array.from({ length: 5 }, (_, nth) => ({
    from: 300 + nth * 200,
    to: 500 + nth * 200,
    count: [2, 8, 4, 0, 1][nth],
  })),
  boards: [named('AI', 'All-Inclusive', 12), named('HB', 'Half Board', 7)],
  airports: [named('LGW', 'London Gatwick', 23)],
  airlines: [named('Seaward Air', 'Seaward Air', 20), named('Air, Ltd', 'Air, Ltd', 3)],
  providers: [named('SEA', 'Seaward Travel', 23)],
  stars: [
    { from: 3, count: 20 },
    { from: 4, count: 9 },
  ],
  guestRatings: [{ from: 8, count: 11 }],
  outboundTimes: times(21),
  inboundTimes: times(19),
  bags: 14,
  freeChild: 0,
  otherPackages: [3, 0],
  otherProviders: [
    [
      { Brand: 'SEA', TotalPrice: 1_012.4 },
      { Brand: 'OTHR', TotalPrice: 1_034 },
    ],
    [],
  ],
};

/** Makes the server offer facets, and records the further filters of each search. */
async function offerFacets(page: Page, { config }: MockServer, facets: object = FACETS): Promise<unknown[]> {
  const asked: unknown[] = [];
  await page.route('**/config.json', (route) => route.fulfill({ json: { ...config, facets: true } }));
  await page.route(String(config.searchEndpoint), async (route) => {
    const { query, variables } = route.request().postDataJSON() as {
      query: string;
      variables: { refine?: unknown };
    };
    expect(query).toContain('facets {');
    asked.push(variables.refine);
    const response = await fetch(String(config.searchEndpoint), {
      method: 'POST',
      headers: await route.request().allHeaders(),
      body: route.request().postData(),
    });
    const json = (await response.json()) as { data: { searchPackages: object } };
    Object.assign(json.data.searchPackages, { facets });
    await route.fulfill({ json });
  });
  return asked;
}

/** Filters are in a sheet here; wide screens have them beside the results. */
test.use({ viewport: { width: 1024, height: 720 } });

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Filters' });

test('offers each filter with its counts, and sends, links and removes what is chosen', async ({
  page,
  mock,
}) => {
  const asked = await offerFacets(page, mock);
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  await page.getByRole('button', { name: 'Filters' }).click();
  await sheet(page).getByLabel('All-Inclusive (12)').check();
  await sheet(page).getByLabel('Half Board (7)').check();
  await sheet(page).getByRole('group', { name: 'Stars' }).getByLabel('4 stars and up (9)').check();
  await sheet(page).getByLabel('Air, Ltd (3)').check();
  await sheet(page).getByLabel('Bag included (14)').check();
  await expect(sheet(page).getByText('Free child place')).toBeHidden();
  await sheet(page).getByLabel('Hotel name').fill('Miramar');
  await sheet(page).getByLabel('Hotel name').press('Enter');
  await expect
    .poll(() => asked.at(-1))
    .toEqual({
      boards: ['AI', 'HB'],
      minStars: 4,
      airlines: ['Air, Ltd'],
      bags: true,
      hotelName: 'Miramar',
    });
  await sheet(page).getByRole('button', { name: 'Show 23 results' }).click();
  await expect(activeFilters(page)).toHaveCount(6);

  const count = asked.length;
  await page.reload();
  await expect(activeFilters(page)).toHaveCount(6);
  expect(asked.slice(count)).toEqual([asked[count - 1]]);
  await activeFilters(page).filter({ hasText: 'Half Board' }).click();
  await expect.poll(() => asked.at(-1)).toMatchObject({ boards: ['AI'] });
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect.poll(() => asked.at(-1)).toEqual({});
  await expect(activeFilters(page)).toHaveCount(0);
});

test('names a hotel’s other providers with their prices', async ({ page, mock }) => {
  await offerFacets(page, mock);
  await page.goto(resultsUrl());
  await expect(cards(page).nth(0)).toContainText('Also with Seaward Travel £1,012, OTHR £1,034');
  await expect(cards(page).nth(1)).not.toContainText('Also with');
});

test('limits the price in total or per person with two thumbs, by keyboard', async ({ page, mock }) => {
  const asked = await offerFacets(page, mock);
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(sheet(page).getByText('£300 to £1,300 with charges at the hotel')).toBeVisible();
  await sheet(page).getByLabel('Per person').check();
  await expect(sheet(page).getByText('£150 to £650 per person')).toBeVisible();
  await sheet(page).getByRole('slider', { name: 'Highest price' }).focus();
  await page.keyboard.press('PageDown');
  await expect.poll(() => asked.at(-1)).toEqual({ priceFrom: 300, priceTo: 1_200 });
  await expect(page).toHaveURL(/price=300-1200/);
  await expect(sheet(page).getByText('£150 to £600 per person')).toBeVisible();
  await page.keyboard.press('End');
  // The results without the filter are still current, so no request is sent.
  await expect(page).not.toHaveURL(/price=/);
  await expect(sheet(page).getByText('£150 to £650 per person')).toBeVisible();
  expect(asked.at(-1)).toEqual({ priceFrom: 300, priceTo: 1_200 });
});

test('limits the price to a typed one, in total or per person, and says what is wrong with it', async ({
  page,
  mock,
}) => {
  const asked = await offerFacets(page, mock);
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  await page.getByRole('button', { name: 'Filters' }).click();
  const field = sheet(page).getByLabel('Up to (£ total)');
  await field.fill('under £1,100');
  await field.press('Enter');
  await expect.poll(() => asked.at(-1)).toEqual({ priceFrom: 300, priceTo: 1_100 });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('1100');
  await expect(sheet(page).getByRole('slider', { name: 'Highest price' })).toHaveValue('1100');

  await sheet(page).getByLabel('Per person').check();
  const each = sheet(page).getByLabel('Up to (£ per person)');
  await expect(each).toHaveValue('550');
  await each.fill('450');
  await each.blur();
  await expect.poll(() => asked.at(-1)).toEqual({ priceFrom: 300, priceTo: 900 });

  const count = asked.length;
  for (const [text, reason] of [
    ['a lot', 'Enter whole pounds, such as 400'],
    ['149', 'Enter at least £150, the lowest price here'],
  ] as const) {
    await each.fill(text);
    await each.press('Enter');
    await expect(sheet(page).getByRole('alert')).toHaveText(reason);
    await expect(each).toHaveAccessibleDescription(reason);
  }
  expect(asked).toHaveLength(count);
  await each.fill('9000');
  await each.press('Enter');
  await expect(page).not.toHaveURL(/price=/);
  await expect(each).toHaveValue('');
  await expect(sheet(page).getByRole('alert')).toHaveCount(0);
});

test('shows the first options of a long list with the chosen ones, and all of them on request', async ({
  page,
  mock,
}) => {
  const resorts = Array.from({ length: 12 }, (_, nth) => named(`Resort ${nth}`, `Resort ${nth}`, 12 - nth));
  const asked = await offerFacets(page, mock, { ...FACETS, resorts });
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  await page.getByRole('button', { name: 'Filters' }).click();
  const group = sheet(page).getByRole('group', { name: 'Resort' });
  await expect(group.getByRole('checkbox')).toHaveCount(8);
  const all = group.getByRole('button', { name: 'All 12 of Resort' });
  await all.click();
  await expect(group.getByRole('checkbox')).toHaveCount(12);
  await group.getByLabel('Resort 11 (1)').check();
  await expect.poll(() => asked.at(-1)).toEqual({ resorts: ['Resort 11'] });
  await all.click();
  await expect(group.getByRole('checkbox')).toHaveCount(9);
  await expect(group.getByLabel('Resort 11 (1)')).toBeChecked();
});

test.describe('beside the results of a wide screen', () => {
  const rail = (page: Page) => page.getByRole('complementary', { name: 'Filters' });

  for (const width of [1200, 1440]) {
    test(`stand at their left at ${width}, and keep the focus`, async ({ page, mock }) => {
      await page.setViewportSize({ width, height: 800 });
      const asked = await offerFacets(page, mock);
      await page.goto(resultsUrl());
      await expect(cards(page)).toHaveCount(10);
      await expect(page.getByRole('button', { name: /^Filters/ })).toHaveCount(0);
      const [left, card] = [await rail(page).boundingBox(), await cards(page).first().boundingBox()];
      expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(card?.x ?? 0);
      expect(card?.width).toBeGreaterThan(800);
      const board = rail(page).getByLabel('All-Inclusive (12)');
      await board.focus();
      await page.keyboard.press('Space');
      await expect.poll(() => asked.at(-1)).toEqual({ boards: ['AI'] });
      await expect(activeFilters(page)).toHaveCount(1);
      await expect(board).toBeFocused();
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });
  }

  test('make one step for Back of a visit', async ({ page, mock }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await offerFacets(page, mock);
    await page.goto(resultsUrl());
    await expect(cards(page)).toHaveCount(10);
    const before = page.url();
    await rail(page).getByLabel('All-Inclusive (12)').check();
    await expect(page).toHaveURL(/boards=AI/);
    await rail(page).getByText('Bag included').click();
    await expect(page).toHaveURL(/boards=AI.*bags=1/);
    // Another visit.
    await page.getByRole('heading', { name: /^Showing 1 to 10/ }).click();
    await rail(page).getByLabel('Half Board (7)').check();
    await expect(page).toHaveURL(/boards=HB/);
    // Another page is a step of its own, even if the focus stays.
    await page.getByRole('button', { name: 'Next' }).dispatchEvent('click');
    await expect(page).toHaveURL(/page=2/);
    await rail(page).getByLabel('8 and up (11)').check();
    await expect(page).toHaveURL(/rating=8.*page=1/);
    await page.goBack();
    await expect(page).toHaveURL(/boards=HB.*page=2/);
    await page.goBack();
    await page.goBack();
    await expect(page).not.toHaveURL(/boards=HB/);
    await expect(page).toHaveURL(/boards=AI.*bags=1/);
    await page.goBack();
    await expect(page).toHaveURL(before);
  });

  test('give way to the sheet where the window becomes narrow', async ({ page, mock }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await offerFacets(page, mock);
    await page.goto(resultsUrl());
    await expect(rail(page)).toBeVisible();
    await page.setViewportSize({ width: 1100, height: 800 });
    await expect(rail(page)).toHaveCount(0);
    await page.getByRole('button', { name: 'Filters' }).click();
    await expect(sheet(page)).toBeVisible();
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(sheet(page)).toHaveCount(0);
    await expect(rail(page)).toBeVisible();
  });
});

test('drags the lower thumb back when both are at the highest price', async ({ page, mock }) => {
  await offerFacets(page, mock);
  await page.goto(resultsUrl({ price: '1300-1300' }));
  await expect(cards(page)).toHaveCount(10);
  await page.getByRole('button', { name: /^Filters/ }).click();
  await expect(sheet(page).getByText('£1,300 to £1,300 with charges at the hotel')).toBeVisible();
  const track = await sheet(page).getByRole('slider', { name: 'Lowest price' }).boundingBox();
  if (track === null) throw new Error('The slider is not shown');
  const middle = track.y + track.height / 2;
  await page.mouse.move(track.x + track.width - 5, middle);
  await page.mouse.down();
  await page.mouse.move(track.x + track.width / 2, middle, { steps: 5 });
  await page.mouse.up();
  await expect(sheet(page).getByText(/^£[78]\d\d to £1,300 with charges at the hotel$/)).toBeVisible();
});

test('reads as groups of named controls to a screen reader', async ({ page, mock }) => {
  await offerFacets(page, mock);
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(sheet(page)).toMatchAriaSnapshot(`
    - dialog "Filters":
      - heading "Filters" [level=2]
      - button "Close"
      - group "Price":
        - radio "Total" [checked]
        - radio "Per person"
        - paragraph: £300 to £1,300 with charges at the hotel
        - slider "Lowest price": "300"
        - slider "Highest price": "1300"
        - text: Up to (£ total)
        - textbox "Up to (£ total)"
      - group "Board":
        - checkbox "All-Inclusive (12)"
        - checkbox "Half Board (7)"
      - group "Stars":
        - radio "Any stars" [checked]
        - radio "3 stars and up (20)"
        - radio "4 stars and up (9)"
      - group "Guest rating":
        - radio "Any rating" [checked]
        - radio "8 and up (11)"
      - group "Flight out":
        - radio "Any time" [checked]
        - radio "Morning 06:00–11:59 (21)"
        - radio "Afternoon 12:00–17:59 (2)"
      - group "Flight back":
        - radio "Any time" [checked]
        - radio "Morning 06:00–11:59 (19)"
        - radio "Afternoon 12:00–17:59 (2)"
      - group "Departure airport":
        - checkbox "Gatwick (23)"
      - group "Airline":
        - checkbox "Seaward Air (20)"
        - checkbox "Air, Ltd (3)"
      - group "Provider":
        - checkbox "Seaward Travel (23)"
      - group "Bags":
        - checkbox "Bag included (14)"
      - searchbox "Hotel name"
      - button "Show 23 results"
  `);
});

test('Back closes the filters and undoes all changes of the visit in one step', async ({ page, mock }) => {
  await offerFacets(page, mock);
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  const before = page.url();
  const change = async (label: string, url: RegExp) => {
    await sheet(page).getByLabel(label).check();
    await expect(page).toHaveURL(url);
  };
  for (const way of ['open', 'closed']) {
    await page.getByRole('button', { name: 'Filters' }).click();
    await change('All-Inclusive (12)', /boards=AI/);
    await change('Half Board (7)', /boards=HB/);
    await change('Bag included (14)', /bags=1/);
    if (way === 'closed') await sheet(page).getByRole('button', { name: 'Close' }).click();
    await page.goBack();
    await expect(sheet(page)).toBeHidden();
    await expect(page).toHaveURL(before);
    await expect(cards(page)).toHaveCount(10);
  }
});

test('searches once for several keys on the price slider, whose last step is its end', async ({
  page,
  mock,
}) => {
  // The range is not a whole number of steps.
  const prices = FACETS.prices.map((range, nth) => (nth === 4 ? { ...range, to: 1_307 } : range));
  const asked = await offerFacets(page, mock, { ...FACETS, prices });
  await page.clock.install();
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(sheet(page).getByText('£300 to £1,307 with charges at the hotel')).toBeVisible();
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  const before = asked.length;
  await sheet(page).getByRole('slider', { name: 'Lowest price' }).focus();
  for (const nth of [1, 2, 3]) {
    await page.keyboard.press('ArrowRight');
    await expect(
      sheet(page).getByText(`£${300 + nth * 10} to £1,307 with charges at the hotel`),
    ).toBeVisible();
  }
  expect(asked).toHaveLength(before);
  await page.clock.runFor(1_000);
  await page.clock.resume();
  await expect.poll(() => asked.slice(before)).toEqual([{ priceFrom: 330, priceTo: 1_307 }]);
  await expect(sheet(page).getByRole('slider', { name: 'Lowest price' })).toBeFocused();
  await page.keyboard.press('Home');
  // Its results are still current, so no request is sent.
  await expect(page).not.toHaveURL(/price=/);
  await sheet(page).getByRole('slider', { name: 'Highest price' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => asked.at(-1)).toMatchObject({ priceFrom: 300 });
  await page.keyboard.press('ArrowRight');
  await expect(page).not.toHaveURL(/price=/);
  await expect(sheet(page).getByText('£300 to £1,307 with charges at the hotel')).toBeVisible();
});

test.describe('keeps the focus by keyboard', () => {
  test('on the next chip, and on the headline after the last or ‘Clear all’', async ({ page, mock }) => {
    const asked = await offerFacets(page, mock);
    await page.goto(resultsUrl({ bags: '1', boards: 'AI', minstars: '4' }));
    await expect(activeFilters(page)).toHaveCount(3);
    const headline = page.getByRole('heading', { name: /^Showing 1 to 10/ });
    await activeFilters(page).filter({ hasText: '4 stars and up' }).focus();
    await page.keyboard.press('Enter');
    await expect(activeFilters(page)).toHaveCount(2);
    await expect(activeFilters(page).filter({ hasText: 'Bag included' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(activeFilters(page)).toHaveCount(1);
    await expect(activeFilters(page).filter({ hasText: 'All-Inclusive' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect.poll(() => asked.at(-1)).toEqual({});
    await expect(headline).toBeFocused();
    await page.goBack();
    await page.goBack();
    await expect(activeFilters(page)).toHaveCount(2);
    await page.getByRole('button', { name: 'Clear all' }).focus();
    await page.keyboard.press('Enter');
    await expect(activeFilters(page)).toHaveCount(0);
    await expect(headline).toBeFocused();
  });

  test('in the hotel’s name after Enter, and keeps what is typed meanwhile', async ({ page, mock }) => {
    const asked = await offerFacets(page, mock);
    await page.goto(resultsUrl());
    await expect(cards(page)).toHaveCount(10);
    await page.getByRole('button', { name: 'Filters' }).click();
    const name = sheet(page).getByLabel('Hotel name');
    await name.focus();
    await page.keyboard.type('Mira');
    await page.keyboard.press('Enter');
    await page.keyboard.type('mar');
    await expect.poll(() => asked.at(-1)).toEqual({ hotelName: 'Mira' });
    await expect(sheet(page).getByRole('button', { name: /^Show \d+ results/ })).toBeVisible();
    await expect(name).toBeFocused();
    await expect(name).toHaveValue('Miramar');
    await page.keyboard.press('Enter');
    await expect.poll(() => asked.at(-1)).toEqual({ hotelName: 'Miramar' });
    await sheet(page).getByRole('button', { name: 'Clear all' }).focus();
    await page.keyboard.press('Enter');
    await expect(name).toHaveValue('');
    await expect(sheet(page).getByRole('heading', { name: 'Filters' })).toBeFocused();
  });

  test('on something after a filter that fails', async ({ page, mock }) => {
    await offerFacets(page, mock);
    await page.goto(resultsUrl({ bags: '1', boards: 'AI' }));
    await expect(activeFilters(page)).toHaveCount(2);
    await page.route(String(mock.config.searchEndpoint), (route) =>
      route.fulfill({ status: 503, body: 'busy' }),
    );
    await activeFilters(page).first().focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert').filter({ hasText: '503' })).toBeVisible();
    await expect(page.locator(':focus')).toHaveCount(1);
  });
});

test('offers only the specified filters of a server without facets, and ignores others in a link', async ({
  page,
  mock,
}) => {
  await page.goto(resultsUrl({ bags: '1', price: '0-9000' }));
  await expect(page.getByText(/^We can’t use this link’s filters here/)).toBeVisible();
  await expect(activeFilters(page)).toHaveCount(0);
  await page.getByRole('button', { name: /^Filters/ }).click();
  await expect(sheet(page).getByRole('group')).toHaveCount(2);
  await expect(sheet(page).getByRole('slider')).toHaveCount(0);
  await sheet(page).getByRole('radio', { name: 'All-Inclusive' }).check();
  await expect.poll(() => mock.searches.length).toBe(2);
  for (const { body } of mock.searches) expect(body.variables).not.toHaveProperty('refine');
  expect(mock.searches[1]?.body.variables).toMatchObject({ filters: { boardBasis: 'AI' } });
});
