import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { resultsUrl } from './support/another-search.ts';
import { expect, test } from './support/another-server.ts';
import {
  airportField,
  cards,
  chooseFilter,
  destinationField,
  editSearch,
  pick,
  results,
  searchButton,
} from './support/journeys.ts';

/*
 * The line under the form for the travellers, if the server names the parties that it sells to.
 */

const PARTIES = [
  { adults: 1 },
  { adults: 2 },
  { adults: 2, children: 1 },
  { adults: 2, children: 2, infants: 1 },
];

async function offerParties(page: Page, parties: unknown): Promise<void> {
  await page.route('**/config.json', async (route) => {
    const config = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...config, parties } });
  });
}

function travellers(page: Page): Locator {
  return page.getByRole('combobox', { name: 'Who’s travelling?' });
}

async function fillForm(page: Page): Promise<void> {
  await pick(page, destinationField(page), 'Benidorm', /^Benidorm/);
  await pick(page, airportField(page), 'Gatwick', /Gatwick/);
}

// @proves 9.1
test('without parties in the settings there is no line, and every search is for two adults', async ({
  page,
  mock,
}) => {
  await page.goto('/');
  await fillForm(page);
  await expect(travellers(page)).toHaveCount(0);
  await searchButton(page).click();
  await expect(cards(page)).toHaveCount(10);
  await expect(travellers(page)).toHaveCount(0);
  await expect(page).not.toHaveURL(/adults|children|infants/);
  expect(mock.searches[0]?.body.variables.filters).toMatchObject({
    numberOfAdults: 2,
    numberOfChildren: 0,
    numberOfInfants: 0,
  });
});

for (const parties of [[{ adults: 2 }], 'families']) {
  test(`there is no line if the settings offer ${JSON.stringify(parties)}`, async ({ page }) => {
    await offerParties(page, parties);
    await page.goto(resultsUrl());
    await expect(cards(page)).toHaveCount(10);
    await expect(travellers(page)).toHaveCount(0);
  });
}

for (const width of [375, 1440]) {
  test.describe(`${width} wide`, () => {
    test.use({ viewport: { width, height: 900 } });

    test('searches for the party chosen by keyboard, and keeps it in the URL, on cards and in page data', async ({
      page,
      mock,
    }) => {
      await offerParties(page, PARTIES);
      await page.goto('/');
      await fillForm(page);
      await expect(travellers(page)).toHaveValue('2-0-0');
      await expect(travellers(page).getByRole('option')).toHaveText([
        '1 adult',
        '2 adults',
        '2 adults, 1 child',
        '2 adults, 2 children, 1 infant',
      ]);
      await searchButton(page).focus();
      await page.keyboard.press('Tab');
      await expect(travellers(page)).toBeFocused();
      await page.keyboard.press('ArrowDown');
      await expect(travellers(page)).toHaveValue('2-1-0');
      await searchButton(page).click();

      await expect(cards(page)).toHaveCount(10);
      await expect(cards(page).first()).toContainText('total for 2 adults, 1 child');
      await expect(page).toHaveURL(/nights=7&children=1&/);
      await expect(page).toHaveTitle(/7 nights from Gatwick, 2 adults, 1 child \|/);
      await expect(results(page).getByText(/^Each provider has its own age limit/)).toBeVisible();
      expect(mock.searches[0]?.body.variables.filters).toMatchObject({
        numberOfAdults: 2,
        numberOfChildren: 1,
        numberOfInfants: 0,
      });
      await expect
        .poll(() => page.evaluate(() => Reflect.get(window, 'holidayPageData')))
        .toMatchObject({
          packages: expect.arrayContaining([
            expect.objectContaining({ NumberOfAdults: 2, NumberOfChildren: 1, NumberOfInfants: 0 }),
          ]),
        });

      await page.reload();
      await expect(cards(page)).toHaveCount(10);
      if (width === 375) await editSearch(page);
      await expect(travellers(page)).toHaveValue('2-1-0');
    });

    test('the line is visible under the form and large enough to press, and axe finds nothing', async ({
      page,
    }) => {
      await offerParties(page, PARTIES);
      for (const address of ['/', resultsUrl({ children: '2', infants: '1' })]) {
        await page.goto(address);
        if (width === 375 && address !== '/') await editSearch(page);
        await expect(travellers(page)).toBeVisible();
        const line = await travellers(page).boundingBox();
        const form = await page.locator('.search-form').boundingBox();
        expect(line?.y).toBeGreaterThanOrEqual((form?.y ?? 0) + (form?.height ?? 0));
        expect(line?.height).toBeGreaterThanOrEqual(24);
        const { violations } = await new AxeBuilder({ page }).include('search').analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes[0]?.failureSummary])).toEqual([]);
      }
    });
  });
}

test('Back and Forward restore the party, and a URL without one is for two adults', async ({
  page,
  mock,
}) => {
  await offerParties(page, PARTIES);
  await page.goto(resultsUrl({ adults: '1' }));
  await expect(cards(page).first()).toContainText('total for 1 adult');
  await expect(travellers(page)).toHaveValue('1-0-0');
  await travellers(page).selectOption('2 adults');
  await searchButton(page).click();
  await expect(cards(page).first()).toContainText('total for 2 adults');
  await expect(page).not.toHaveURL(/adults/);
  await page.goBack();
  await expect(cards(page).first()).toContainText('total for 1 adult');
  await expect(travellers(page)).toHaveValue('1-0-0');
  await page.goForward();
  await expect(cards(page).first()).toContainText('total for 2 adults');
  await expect(travellers(page)).toHaveValue('2-0-0');
  // Back and Forward show answers that are still current.
  expect(mock.searches.map(({ body }) => body.variables.filters.numberOfAdults)).toEqual([1, 2]);
});

test('another page, order or filter keeps the party', async ({ page, mock }) => {
  await offerParties(page, PARTIES);
  await page.goto(resultsUrl({ children: '1' }));
  await expect(cards(page)).toHaveCount(10);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page).toHaveURL(/children=1.*page=2/);
  await chooseFilter(page, 'Board', 'All-Inclusive');
  await expect(page).toHaveURL(/children=1.*board=AI/);
  await expect.poll(() => mock.searches.at(-1)?.body.variables.filters.boardBasis).toBe('AI');
  expect(mock.searches.at(-1)?.body.variables.filters.numberOfChildren).toBe(1);
});

test('a recent search names its party, and is separate from the same search for two adults', async ({
  page,
}) => {
  await offerParties(page, PARTIES);
  await page.goto('/');
  await fillForm(page);
  await searchButton(page).click();
  await expect(cards(page).first()).toContainText('total for 2 adults');
  await travellers(page).selectOption('2 adults, 2 children, 1 infant');
  await searchButton(page).click();
  await expect(cards(page).first()).toContainText('total for 2 adults, 2 children, 1 infant');
  await page.goto('/');
  const recent = page.getByRole('navigation', { name: 'Recent searches' }).getByRole('link');
  await expect(recent).toHaveText([/7 nights, 2 adults, 2 children, 1 infant$/, /7 nights$/]);
  await recent.first().click();
  await expect(travellers(page)).toHaveValue('2-2-1');
  await expect(cards(page).first()).toContainText('2 adults, 2 children, 1 infant');
});

for (const { what, parties, nearest } of [
  { what: 'that is not sold to', parties: PARTIES, nearest: '2 adults, 1 child' },
  { what: 'where only two adults are sold to', parties: [], nearest: '2 adults' },
]) {
  test(`names the party of a URL ${what}, and searches for the nearest`, async ({ page, mock }) => {
    await offerParties(page, parties);
    await page.goto(resultsUrl({ adults: '3', children: '2' }));
    await expect(results(page).getByRole('status').getByRole('listitem')).toHaveText([
      `We have no prices for 3 adults, 2 children. These are for ${nearest}.`,
    ]);
    expect(mock.searches).toHaveLength(1);
    expect(mock.searches[0]?.body.variables.filters).toMatchObject({
      numberOfAdults: 2,
      numberOfChildren: parties.length > 0 ? 1 : 0,
    });
  });
}

test('names each number of travellers that cannot be read', async ({ page }) => {
  await offerParties(page, PARTIES);
  await page.goto(resultsUrl({ adults: 'two', children: '-1', infants: '1.5' }));
  await expect(cards(page)).toHaveCount(10);
  await expect(results(page).getByRole('status').getByRole('listitem')).toHaveText([
    '‘two’ isn’t a number of adults, so we’ve searched for 2.',
    '‘-1’ isn’t a number of children, so we’ve searched for 0.',
    '‘1.5’ isn’t a number of infants, so we’ve searched for 0.',
  ]);
});

test('the line is disabled while a search runs, and does not start one', async ({ page, mock }) => {
  await offerParties(page, PARTIES);
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  await travellers(page).selectOption('1 adult');
  await expect(cards(page).first()).toContainText('total for 2 adults');
  expect(mock.searches).toHaveLength(1);
  mock.script.search = () => 'no answer';
  await searchButton(page).click();
  await expect(travellers(page)).toBeDisabled();
  await expect(travellers(page)).toHaveValue('1-0-0');
});
