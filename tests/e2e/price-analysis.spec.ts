import AxeBuilder from '@axe-core/playwright';
import type { Page, Route } from '@playwright/test';
import { fullAnalysis } from '../fixtures/full-data.ts';
import { cards, search, withoutHotelPages } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

const WIDGET = '**/widget/price-analysis.js';
const BENIDORM = { destination: 'Benidorm', airport: 'Gatwick' };

/**
 * Responds to the widget with the result of `analyse` for each key. Returns the keys of each request.
 */
async function answerAnalyses(
  page: Page,
  analyse: (itemKey: string, index: number) => unknown,
): Promise<string[][]> {
  const questions: string[][] = [];
  await page.route('**/graphql', async (route: Route) => {
    const body = route.request().postDataJSON() as { query: string; variables: { itemKeys: string[] } };
    if (!body.query.includes('priceAnalysis')) return route.fallback();
    questions.push(body.variables.itemKeys);
    const priceAnalysis = body.variables.itemKeys.map(analyse);
    return route.fulfill({ json: { data: { priceAnalysis } } });
  });
  return questions;
}

/** An analysis of a package that has fallen by £200. */
function lowAnalysis(itemKey: string, price = 800) {
  return {
    itemKey,
    price,
    asOf: '2026-11-20T10:30:00.000Z',
    level: 'LOW',
    label: 'Low',
    sentence: '£800: down £200 since 30 October; most holidays like this cost £870 to £1,040',
    abstention: null,
    holiday: 'Easter holidays',
    change: { amount: -200, since: '2026-10-30' },
    advice: 'Book: waiting a week cost £17 on average, for 600 prices like this',
    lowest30: { day: '2026-10-24', price: 780, days: 28 },
    expected: { price: 950, low: 870, high: 1_040, modelVersion: 3 },
    evidence: {
      own: { median: 1_000, prices: 42 },
      similar: {
        median: 953,
        prices: 42,
        hotels: 6,
        comparedWith: 'Benidorm, departing in May 2027, 7 nights',
      },
      knownSince: '2026-08-23',
      sample: true,
      history: [
        { day: '2026-08-23', price: 1_000 },
        { day: '2026-09-20', price: 1_100 },
        { day: '2026-10-24', price: 780 },
        { day: '2026-11-20', price: 800 },
      ],
    },
  };
}

const analyses = (page: Page) => page.getByRole('group', { name: /^Price analysis of / });

test('judges the price that a provider has given since the search, and no sold-out holiday', async ({
  page,
}) => {
  await answerAnalyses(page, (itemKey) => lowAnalysis(itemKey));
  await page.goto('/');
  await search(page, BENIDORM);
  await expect(analyses(page).first()).toContainText('Price: Low');
  await page.evaluate(() => {
    const [dearer, gone] = window.holidayPageData?.packages ?? [];
    if (dearer === undefined || gone === undefined) throw new Error('No packages are published');
    Object.assign(dearer.additionalData, { TotalPrice: 1_200, Availability: 'checked' });
    Object.assign(gone.additionalData, { Availability: 'sold out' });
    dispatchEvent(new Event('holidaypagedata'));
  });
  await expect(analyses(page).first()).toContainText(
    'Price: High £1,200: up £200 since 30 October; most holidays like this cost £870 to £1,040',
  );
  await expect(analyses(page).nth(1)).toHaveText('It’s sold out, so its price has no verdict');
  await expect(analyses(page).nth(2)).toContainText('Price: Low');
});

// @proves 1.5
test('shows a verdict on each card, whose drawings are also in words, and evidence on demand', async ({
  page,
}) => {
  const questions = await answerAnalyses(page, (itemKey) => lowAnalysis(itemKey));
  await withoutHotelPages(page);
  await page.goto('/');
  await search(page, BENIDORM);
  await expect(analyses(page)).toHaveCount(10);
  expect(questions).toHaveLength(1);
  expect(new Set(questions[0]).size).toBe(10);

  const first = analyses(page).first();
  await expect(first).toContainText('Price: Low The price has moved to £800 since this search');

  await expect(first.getByText('Other hotels', { exact: true })).toBeHidden();
  await first.getByText('How we know').click();
  await expect(first.getByText('Other hotels', { exact: true })).toBeVisible();
  await expect(first).toContainText(
    'Its price with charges at the hotel from 23 Aug to 20 Nov; shaded: 4 in 5 holidays like this cost £870 to £1,040; earlier prices are made up for this demo',
  );
  await expect(first).toContainText('Usually £1,000 (the median of 42 days since 23 August 2026)');
  await expect(first).toContainText('£780 on 24 October 2026');
  await expect(first).toContainText(
    'Usually £953 (42 holidays in 6 hotels): Benidorm, departing in May 2027, 7 nights',
  );
  // Three facts, and what the price record advises.
  await expect(first.getByRole('term')).toHaveCount(4);
  await expect(first.getByRole('link', { name: 'How we judge a price' })).toHaveAttribute(
    'href',
    new URL('/how-we-price', page.url()).href,
  );

  const { violations } = await new AxeBuilder({ page }).include('[data-price-analysis]').analyze();
  expect(violations).toEqual([]);
});

test('has the verdict on the card and the evidence on the hotel’s page', async ({ page }) => {
  await answerAnalyses(page, (itemKey) => lowAnalysis(itemKey));
  await page.goto('/');
  await search(page, BENIDORM);
  await expect(analyses(page).first()).toContainText('Price: Low');
  await expect(page.getByText('How we know')).toHaveCount(0);
  await cards(page).first().getByRole('heading').getByRole('link').click();
  await page.locator('.hotel-verdict summary').click();
  await expect(page.getByRole('group', { name: 'Price analysis' })).toContainText(
    'Usually £1,000 (the median of 42 days since 23 August 2026)',
  );
});

test('orders by the fall that each card shows', async ({ page }) => {
  const falls = new Map<string, number>();
  const fallOf = (itemKey: string) => {
    if (!falls.has(itemKey)) falls.set(itemKey, (falls.size * 7) % 100);
    return falls.get(itemKey) ?? 0;
  };
  await answerAnalyses(page, (itemKey) => ({
    ...lowAnalysis(itemKey),
    change: { amount: -fallOf(itemKey), since: '2026-10-30' },
    advice: 'Book: waiting a week cost £17 on average, for 600 prices like this',
    sentence: `£800: down £${fallOf(itemKey)} since 30 October`,
  }));
  await page.goto('/');
  await search(page, BENIDORM);
  await page.getByLabel('Sort by').selectOption('Biggest price drop');
  await expect(page.getByText(/^Largest fall in 30 days/)).toBeVisible();
  const keys = await page
    .locator('[data-price-analysis]')
    .evaluateAll((places) => places.map((place) => place.getAttribute('data-price-analysis') ?? ''));
  const shown = keys.map(fallOf);
  expect(shown).toHaveLength(10);
  expect(shown).toEqual(shown.toSorted((one, other) => other - one));
});

test('the opened evidence fits on one screen of a phone', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 740 });
  await answerAnalyses(page, fullAnalysis);
  await withoutHotelPages(page);
  await page.goto('/');
  await search(page, BENIDORM);
  await analyses(page).first().getByRole('group').click();
  const height = await analyses(page)
    .first()
    .evaluate((analysis) => analysis.getBoundingClientRect().height);
  expect(height).toBeGreaterThan(200);
  expect(height).toBeLessThanOrEqual(740);
});

test("requests a page's analyses once, and none when going back to it", async ({ page }) => {
  const questions = await answerAnalyses(page, (itemKey) => lowAnalysis(itemKey));
  await page.goto('/');
  await search(page, BENIDORM);
  await expect(analyses(page)).toHaveCount(10);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.poll(() => questions.length).toBe(2);
  expect(questions[1]?.filter((key) => questions[0]?.includes(key))).toEqual([]);
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(analyses(page)).toHaveCount(10);
  expect(questions).toHaveLength(2);
});

test('shows only a note if there are too few prices', async ({ page }) => {
  await answerAnalyses(page, (itemKey) => fullAnalysis(itemKey, 2));
  await page.goto('/');
  await search(page, BENIDORM);
  await expect(analyses(page)).toHaveCount(10);
  for (const analysis of await analyses(page).all()) await expect(analysis).toHaveText('Too little to go on');
});

test('renders extreme and hostile analyses as text inside their card', async ({ page }) => {
  const scripts: string[] = [];
  page.on('pageerror', ({ message }) => scripts.push(message));
  await answerAnalyses(page, (itemKey, index) => {
    const analysis = lowAnalysis(itemKey, index === 0 ? 99_999 : 0.01);
    if (index === 2) return { ...analysis, label: '<img src=x onerror=alert(1)>' };
    if (index === 3)
      return { ...analysis, evidence: { ...analysis.evidence, history: [{ day: 'never', price: 'x' }] } };
    if (index === 4) return { ...analysis, itemKey: 'another:package' };
    if (index === 5) return { ...analysis, expected: null };
    return { ...analysis, expected: { ...analysis.expected, low: 0, high: 0 } };
  });
  await page.goto('/');
  await search(page, BENIDORM);
  await expect(analyses(page)).toHaveCount(8);
  await expect(analyses(page).nth(2)).toContainText('<img src=x onerror=alert(1)>');
  const pictures = analyses(page).locator('svg circle');
  for (const circle of await pictures.all()) await expect(circle).not.toHaveAttribute('cx', /NaN|Infinity/);
  const wide = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  expect(wide).toBe(false);
  expect(scripts).toEqual([]);
});

test.describe('a widget that', () => {
  for (const [what, route] of [
    ['is not there', (r: Route) => r.fulfill({ status: 404, body: 'nothing' })],
    ['cannot be reached', (r: Route) => r.abort()],
    ['throws', (r: Route) => r.fulfill({ contentType: 'text/javascript', body: 'throw new Error("no")' })],
    ['never comes', () => {}],
    [
      'empties the page data',
      (r: Route) =>
        r.fulfill({
          contentType: 'text/javascript',
          body: 'for (const one of window.holidayPageData.packages) one.hotel = null; window.holidayPageData = 7;',
        }),
    ],
  ] as const) {
    test(`${what} does not affect the visitor`, async ({ page }) => {
      await page.route(WIDGET, async (r) => {
        await route(r);
      });
      const asked = page.waitForRequest(WIDGET);
      await page.goto('/');
      await search(page, BENIDORM);
      await asked;
      await expect(cards(page)).toHaveCount(10);
      await page.getByRole('button', { name: 'Next' }).click();
      await expect(page.getByText('Page 2')).toBeVisible();
      await expect(
        cards(page)
          .first()
          .getByRole('link', { name: /Visit site/ }),
      ).toBeVisible();
    });
  }
});

test('reserves exactly the space for a headline of any verdict, and releases it if there is none', async ({
  page,
}) => {
  let answer: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/graphql', async (route) => {
    const { query, variables } = route.request().postDataJSON() as {
      query: string;
      variables: { itemKeys: string[] };
    };
    if (!query.includes('priceAnalysis')) return route.fallback();
    await asked;
    const priceAnalysis = variables.itemKeys.slice(0, 8).map(fullAnalysis);
    return route.fulfill({ json: { data: { priceAnalysis } } });
  });
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto('/');
  await search(page, BENIDORM);
  const heights = () =>
    page
      .locator('.holiday-card > .price-analysis')
      .evaluateAll((rooms) => rooms.map((room) => Math.round(room.getBoundingClientRect().height)));
  await expect(cards(page)).toHaveCount(10);
  await expect.poll(async () => new Set(await heights()).size).toBe(1);
  const [kept = 0] = await heights();
  expect(kept).toBeGreaterThanOrEqual(44);
  answer();
  await expect(analyses(page)).toHaveCount(8);
  await expect.poll(heights).toEqual([...Array.from({ length: 8 }, () => kept), 0, 0]);
});

test('leaves the cards unchanged if the service fails', async ({ page }) => {
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes('priceAnalysis') ? route.fulfill({ status: 500 }) : route.fallback(),
  );
  const warned = page.waitForEvent('console', (message) => message.text().includes('could not be loaded'));
  await page.goto('/');
  await search(page, BENIDORM);
  await warned;
  await expect(cards(page)).toHaveCount(10);
  await expect(analyses(page)).toHaveCount(0);
});

test('reports the package and the shown price on a click-through, and nothing about the visitor', async ({
  page,
  context,
}) => {
  await context.route('**/*.example/**', (route) => route.fulfill({ body: 'the provider' }));
  await page.goto('/');
  await search(page, BENIDORM);
  const told = page.waitForRequest('**/visits');
  await cards(page)
    .first()
    .getByRole('link', { name: /Visit site/ })
    .click();
  const request = await told;
  expect(Object.keys(request.postDataJSON() as object)).toEqual(['itemKey', 'price', 'priceToken']);
  expect((await request.response())?.status()).toBe(204);
});
