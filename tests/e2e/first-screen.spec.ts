import type { Page } from '@playwright/test';
import { changedItem, DAY, openItems, resultsUrl } from './support/another-search.ts';
import { expect, test } from './support/another-server.ts';
import { cards, destinationField, editSearch, searchButton } from './support/journeys.ts';
import { boxesOf } from './support/layout.ts';

const ITEM = changedItem(1, { TotalPrice: 1_214, hotel: { HotelName: 'Palazzo Azzurra Mellieha' } });
const CHARGED = {
  TotalPrice: 1_230,
  additional: { ProviderPrice: 1_214, LocalCharges: 16, LocalChargeParts: [] },
};
/** The longest name and place of the sample, near the sea, with all that a card says. */
const LONGEST = changedItem(3, {
  TotalPrice: 1_609,
  HolidayCountry: 'Italy',
  HolidayRegion: 'Sardinia',
  HolidayResort: 'Santa Margherita di Pula',
  hotel: {
    HotelName: 'Scogliera delle Rose Santa Margherita di Pula',
    StarRating: 4.5,
    ConsumerRating: 8.5,
    SeaDistance: 0.1,
  },
  additional: { ProviderPrice: 1_569, LocalCharges: 40, LocalChargesFrom: 20, LocalChargeParts: [] },
});
const PHONES = [
  { width: 360, height: 740 },
  { width: 375, height: 740 },
  { width: 390, height: 844 },
];

for (const viewport of PHONES) {
  test.describe(`${viewport.width} by ${viewport.height}`, () => {
    test.use({ viewport, hasTouch: true, isMobile: true });

    test('opens with the search in a line, sort and filters, and a whole card', async ({ page, mock }) => {
      await openItems(
        page,
        mock,
        Array.from({ length: 12 }, () => ITEM),
      );
      const summary = page.getByRole('button', { name: /^Edit search: Benidorm · .* · 7 nights · Gatwick$/ });
      await expect(summary).toBeVisible();
      await expect(destinationField(page)).toBeHidden();
      for (const control of [page.getByLabel('Sort by'), page.getByRole('button', { name: 'Filters' })]) {
        await expect(control).toBeInViewport({ ratio: 1 });
      }
      await expect(cards(page).first()).toBeInViewport({ ratio: 1 });
      for (const { height } of (await boxesOf(cards(page))).slice(0, 2))
        expect(height).toBeLessThanOrEqual(340);
    });

    test('has whole, low cards with four large targets where hotels have pages', async ({ page, mock }) => {
      await page.route('**/config.json', (route) =>
        route.fulfill({
          json: { ...mock.config, hotelPages: true, facets: true, priceAnalysisUrl: '/never.js' },
        }),
      );
      // Cards reserve the height of a price analysis that is loading.
      await page.route('**/never.js', () => {});
      await openItems(page, mock, [ITEM, changedItem(2, CHARGED), LONGEST]);
      for (const nth of [0, 1, 2]) {
        const card = cards(page).nth(nth);
        await expect(card.getByRole('link', { name: /^Visit site/ })).toBeVisible();
        const targets = await boxesOf(card.locator('a, button, summary'));
        expect(targets).toHaveLength(4);
        for (const { height, width } of targets) expect(Math.min(height, width)).toBeGreaterThanOrEqual(44);
        expect((await boxesOf(card))[0]?.height).toBeLessThanOrEqual(300);
        const isCut = card
          .locator('*')
          .evaluateAll(
            (all) =>
              all.filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1)
                .length,
          );
        expect(await isCut).toBe(0);
      }
      const [first] = await boxesOf(cards(page).first());
      const [size] = await boxesOf(page.getByLabel('Results per page'));
      expect(first?.y).toBeLessThan(400);
      expect(size?.y).toBeGreaterThan((first?.y ?? 0) + 400);
    });

    test('keeps sort and filters in reach, and lands on the first card of the next page', async ({
      page,
      mock,
    }) => {
      await openItems(
        page,
        mock,
        Array.from({ length: 12 }, (_, index) => changedItem(index + 1)),
      );
      await page.getByRole('button', { name: 'Next' }).click();
      const first = cards(page).filter({ has: page.getByRole('heading', { name: 'Hotel 11' }) });
      await expect(first.getByRole('heading')).toBeInViewport({ ratio: 1 });
      await expect(page.getByRole('button', { name: 'Filters' })).toBeInViewport({ ratio: 1 });
      const [card] = await boxesOf(first);
      const [bar] = await boxesOf(page.locator('.results-bar'));
      expect(card?.y).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0) - 1);
      expect(card?.y).toBeLessThan(200);
      await expect(page.getByRole('heading', { name: /^Showing 11 to 12/ })).toBeFocused();
    });
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('opens the form from the line that sums up the search, and closes it with a new search', async ({
    page,
  }) => {
    await page.goto(resultsUrl());
    await expect(cards(page)).toHaveCount(10);
    await editSearch(page);
    await expect(destinationField(page)).toHaveValue('Benidorm, Costa Blanca, Spain');
    await page.getByRole('button', { name: /^Close the form: / }).click();
    await expect(destinationField(page)).toBeHidden();
    await editSearch(page);
    await page.getByLabel('How long').selectOption('14');
    await searchButton(page).click();
    await expect(page.getByRole('button', { name: /^Edit search: .* 14 nights/ })).toBeVisible();
    await expect(destinationField(page)).toBeHidden();
    await expect(cards(page).first()).toContainText('14 nights');
  });

  // @proves 2.21
  test("stops a search with 'Modify Search', which opens the form", async ({ page, mock }) => {
    mock.script.search = () => new Promise(() => {});
    await page.goto(resultsUrl());
    const modify = page.getByRole('button', { name: 'Modify Search' });
    const aborted = page.waitForEvent('requestfailed');
    await modify.click();
    await aborted;
    await expect(modify).toBeHidden();
    await expect(destinationField(page)).toBeEnabled();
    await expect(page.getByText(/^Search stopped/)).toBeVisible();
  });

  test('opens the form where the search of an address cannot run', async ({ page }) => {
    await page.goto(resultsUrl({ date: '2020-01-01' }));
    await expect(page.getByText(/has passed/)).toBeVisible();
    await expect(destinationField(page)).toBeVisible();
    await page.goto('/results');
    await expect(destinationField(page)).toBeVisible();
  });
});

test('shows two whole cards at 1440 by 900', async ({ page, mock }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openItems(page, mock, [ITEM, ITEM, ITEM]);
  for (const nth of [0, 1]) await expect(cards(page).nth(nth)).toBeInViewport({ ratio: 1 });
  await expect(destinationField(page)).toBeVisible();
});

async function openCard(
  page: Page,
  mock: Parameters<typeof openItems>[1],
  ...changes: Parameters<typeof changedItem>[1][]
) {
  await openItems(
    page,
    mock,
    changes.map((change, index) => changedItem(index + 1, change)),
  );
  return cards(page);
}

test('adds rating, bags, room, a free child place and flight times to a card, as far as they are known', async ({
  page,
  mock,
}) => {
  const all = await openCard(
    page,
    mock,
    { FreeChild: true, LuggageIncluded: 2, flight: { ArrivalDateTime_Inbound: `${DAY}T00:40:00+00:00` } },
    { LuggageIncluded: 0, RoomTypeDescription: null, hotel: { ConsumerRating: null } },
    { LuggageIncluded: null, Flight: null },
  );
  await expect(all.nth(0)).toContainText('Guests: 8.4/10 (Seaward Travel)');
  for (const words of ['2 bags included', 'Free child place', 'Double room', 'Out 07:05 to 23:10']) {
    await expect(all.nth(0).locator('.holiday-facts').getByText(words, { exact: true })).toBeVisible();
  }
  await expect(all.nth(1)).toContainText('Hand luggage only');
  await expect(all.nth(1)).not.toContainText(/Guests|Free child|Double room/);
  await expect(all.nth(2)).not.toContainText(/bag|luggage|Out \d|undefined|null/i);

  const details = all.nth(0).locator('details');
  await expect(details.getByText('LGW to ALC')).toBeHidden();
  await details.getByText('Flights and room').click();
  for (const words of [
    'LGW to ALC',
    'ALC to LGW',
    'Seaward Air SW1',
    'Seaward Air SW2',
    '1 room for 2 adults',
  ]) {
    await expect(details.getByText(words, { exact: true })).toBeVisible();
  }
});
