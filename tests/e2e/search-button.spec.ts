import type { Page } from '@playwright/test';
import type { MockAnswer, MockServer } from '../mock-server/mock-server.ts';
import { searchHotels } from '../mock-server/mock-server.ts';
import { expect, test } from './support/another-server.ts';
import { airportField, cards, destinationField, pick, searchButton } from './support/journeys.ts';

const busy = (page: Page) => page.getByRole('button', { name: 'Searching...' });
const modify = (page: Page) => page.getByRole('button', { name: 'Modify Search' });

/** Delays the response to every search until the test releases it. A release may come before its search. */
function holdAnswers(mock: MockServer): { letGo(answer?: MockAnswer): void } {
  const held: ((answer: MockAnswer | undefined) => void)[] = [];
  const released: (MockAnswer | undefined)[] = [];
  mock.script.search = async (variables) => {
    const answer =
      released.length > 0
        ? released.shift()
        : await new Promise<MockAnswer | undefined>((resolve) => held.push(resolve));
    return answer ?? searchHotels(mock.hotels, variables);
  };
  return {
    letGo(answer) {
      const release = held.shift();
      if (release === undefined) released.push(answer);
      else release(answer);
    },
  };
}

async function fill(page: Page): Promise<void> {
  await pick(page, destinationField(page), 'Benidorm', /^Benidorm/);
  await pick(page, airportField(page), 'Gatwick', /Gatwick/);
}

// @proves 2.20, 5.1
test('enables the button once a place and an airport are chosen', async ({ page }) => {
  await page.goto('/');
  await expect(searchButton(page)).toBeDisabled();
  await pick(page, destinationField(page), 'Benidorm', /^Benidorm/);
  await expect(searchButton(page)).toBeDisabled();
  await pick(page, airportField(page), 'Gatwick', /Gatwick/);
  await expect(searchButton(page)).toBeEnabled();
  await page.getByRole('button', { name: 'Remove Gatwick' }).click();
  await expect(searchButton(page)).toBeDisabled();
  await pick(page, airportField(page), 'Luton', /Luton/);
  await page.getByRole('button', { name: 'Clear destination' }).click();
  await expect(searchButton(page)).toBeDisabled();
});

// @proves 2.18, 7.6
test('offers 4, 7, 10 and 14 nights, 7 by default, and sends the limits of the trip', async ({
  page,
  mock,
}) => {
  await page.clock.setFixedTime('2027-10-28T12:00:00Z');
  await page.goto('/');
  const nights = page.getByLabel('How long');
  await expect(nights).toHaveValue('7');
  await expect(nights.getByRole('option')).toHaveText(['4 nights', '7 nights', '10 nights', '14 nights']);
  await fill(page);
  // The trip includes the night in which clocks go back.
  for (const [value, endDate] of [
    ['4', '2027-11-02'],
    ['14', '2027-11-12'],
    ['10', '2027-11-08'],
  ] as const) {
    await nights.selectOption(value);
    await searchButton(page).click();
    await expect(cards(page).first()).toContainText(`${value} nights`);
    expect(mock.searches.at(-1)?.body.variables.filters).toMatchObject({
      startDate: '2027-10-29',
      endDate,
      duration: Number(value),
    });
  }
});

// @proves 2.19, 2.22
test('searches once on a double click, disables the fields while searching, and scrolls to the top', async ({
  page,
  mock,
}) => {
  const { letGo } = holdAnswers(mock);
  await page.setViewportSize({ width: 1201, height: 500 });
  await page.goto('/');
  await fill(page);
  await searchButton(page).dblclick();
  await expect(busy(page)).toBeDisabled();
  await expect(page).toHaveURL(/\/results\?/);
  await expect(page.getByRole('heading', { name: 'Loading results...' })).toBeVisible();
  for (const field of [
    destinationField(page),
    airportField(page),
    page.getByLabel('When'),
    page.getByLabel('How long'),
  ]) {
    await expect(field).toBeDisabled();
  }
  await expect(modify(page)).toBeHidden();
  letGo();
  await expect(cards(page)).toHaveCount(10);
  await expect(searchButton(page)).toBeEnabled();
  expect(mock.searches).toHaveLength(1);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);

  // The same search from the bottom of the page: it starts again at page 1, and the page scrolls to the top.
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Page 2', { exact: true })).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, 300));
  await searchButton(page).click();
  letGo();
  await expect(page.getByText('Showing 1 to 10 of 23 results')).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  expect(mock.searches).toHaveLength(2);
});

for (const viewport of [
  { width: 1366, height: 600 },
  { width: 390, height: 500 },
]) {
  test(`scrolls to the top from a scrolled form at ${viewport.width} by ${viewport.height}`, async ({
    page,
    mock,
  }) => {
    await page.setViewportSize(viewport);
    await page.goto('/');
    await fill(page);
    for (let searches = 1; searches <= 3; searches += 1) {
      const line = page.getByRole('button', { name: /^Edit search: / });
      if (await line.isVisible()) await line.click();
      await searchButton(page).evaluate((button) =>
        scrollBy({ top: button.getBoundingClientRect().top, behavior: 'instant' }),
      );
      expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
      await searchButton(page).click();
      await expect.poll(() => mock.searches.length).toBe(searches);
      await expect(cards(page)).toHaveCount(10);
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    }
  });
}

// @proves 2.21, 4.12, 9.6
test("stops the search and re-enables the form with 'Modify Search' at 1200px or less", async ({
  page,
  mock,
}) => {
  const { letGo } = holdAnswers(mock);
  await page.setViewportSize({ width: 1201, height: 800 });
  await page.goto('/');
  await fill(page);
  await searchButton(page).click();
  await expect(busy(page)).toBeVisible();
  await expect(modify(page)).toBeHidden();
  await page.setViewportSize({ width: 1200, height: 800 });
  await expect(modify(page)).toBeVisible();
  const aborted = page.waitForEvent('requestfailed');
  await modify(page).click();
  await aborted;
  await expect(modify(page)).toBeHidden();
  await expect(searchButton(page)).toBeEnabled();
  await expect(destinationField(page)).toBeEnabled();
  await expect(destinationField(page)).toHaveValue('Benidorm, Costa Blanca, Spain');
  letGo();
  await expect(page.getByText('Loading results...')).toBeHidden();
  await expect(cards(page)).toHaveCount(0);
  await expect(page.getByText(/^Search stopped/)).toBeVisible();
  await searchButton(page).click();
  letGo();
  await expect(cards(page)).toHaveCount(10);
});

test('searches on Enter once the form is complete', async ({ page, mock }) => {
  await page.goto('/');
  await pick(page, destinationField(page), 'Benidorm', /^Benidorm/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/$/);
  await pick(page, airportField(page), 'Gatwick', /Gatwick/);
  await page.keyboard.press('Enter');
  await expect(cards(page)).toHaveCount(10);
  expect(mock.searches).toHaveLength(1);
});

// @proves 4.12
test('ignores the late response or failure of a search that a newer one has replaced', async ({
  page,
  mock,
}) => {
  const late: ((answer: MockAnswer) => void)[] = [];
  mock.script.search = ({ filters }) =>
    filters.duration === 7 ? new Promise<MockAnswer>((resolve) => late.push(resolve)) : { items: [] };
  for (const answer of [
    { status: 500, body: 'late' },
    { items: [{ ItemKey: 'late' }] },
  ] satisfies MockAnswer[]) {
    await page.goto('/');
    await fill(page);
    await searchButton(page).click();
    await expect(busy(page)).toBeVisible();
    await expect(page).toHaveURL(/nights=7/);
    await page.setViewportSize({ width: 800, height: 800 });
    const aborted = page.waitForEvent('requestfailed');
    await modify(page).click();
    await aborted;
    await page.getByLabel('How long').selectOption('4');
    await searchButton(page).click();
    await expect(page.getByText(/^No holidays found/)).toBeVisible();
    late.shift()?.(answer);
    await expect(page.getByText(/^No holidays found/)).toBeVisible();
    await expect(page.getByText('Failed to search holidays')).toBeHidden();
  }
});
