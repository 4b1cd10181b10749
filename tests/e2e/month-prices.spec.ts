import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { addDays, daysBetween } from '../../domain/calendar-date.ts';
import { formatLongDate, formatSpokenDate } from '../../domain/day-words.ts';
import type { PackageSearchFilters } from '../../domain/search-filters.ts';
import type { MockServer } from '../mock-server/mock-server.ts';
import { DAY, resultsUrl } from './support/another-search.ts';
import { test as anotherServer, expect } from './support/another-server.ts';
import { cards, results } from './support/journeys.ts';
import { test as skylark } from './support/skylark.ts';

/* The prices of whole months, opened from the results: the date field's calendar (calendar-prices.spec.ts). */

const NOW = '2027-03-10T12:00:00Z';

const opener = (page: Page) => page.getByRole('button', { name: 'Prices by month' });
const calendar = (page: Page) => page.getByRole('dialog', { name: 'Choose a departure date' });

/** Departures on even days, with the cheapest on the 20th. */
function evenDays({ startDate, endDate, duration }: PackageSearchFilters) {
  return Array.from({ length: daysBetween(startDate, endDate) - duration + 1 }, (_, nth) =>
    addDays(startDate, nth),
  )
    .filter((date) => Number(date.slice(8)) % 2 === 0)
    .map((date) => ({ DepartureDate: date, TotalPrice: date.endsWith('20') ? 470 : 770 }));
}

async function openCalendar(page: Page, mock: MockServer): Promise<void> {
  mock.script.prices = evenDays;
  await page.clock.setFixedTime(NOW);
  await page.route('**/config.json', async (route) => {
    const config = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...config, priceCalendar: true } });
  });
  await page.goto(resultsUrl({ date: '2027-03-24' }));
  await expect(page.getByRole('heading', { name: /^(Showing|No holidays)/ })).toBeVisible();
  await opener(page).click();
  await expect(calendar(page)).toBeVisible();
}

for (const [width, colorScheme] of [
  [320, 'dark'],
  [1440, 'light'],
] as const) {
  anotherServer(
    `shows a month’s prices, and a day leads to its search, at ${width}`,
    async ({ page, mock }) => {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await openCalendar(page, mock);
      await expect(calendar(page)).toContainText(
        'Lowest price for 2 adults, 7 nights, with charges at the hotel',
      );
      await expect(calendar(page)).toContainText('£470 cheapest in March 2027');
      await expect(calendar(page)).toBeInViewport({ ratio: 0.9 });
      expect((await new AxeBuilder({ page }).include('.month-prices').analyze()).violations).toEqual([]);
      await calendar(page).getByRole('button', { name: 'Next month' }).click();
      await calendar(page)
        .getByRole('button', { name: /^Tuesday 20 April 2027, from £470/ })
        .click();
      await expect(calendar(page)).toBeHidden();
      await expect(page).toHaveURL(/date=2027-04-20&nights=7/);
      await expect
        .poll(() => mock.searches.at(-1)?.body.variables.filters)
        .toMatchObject({ startDate: '2027-04-20', duration: 7 });
    },
  );
}

anotherServer(
  'closes with Escape, Back and a press outside, and returns the focus',
  async ({ page, mock }) => {
    await openCalendar(page, mock);
    await page.keyboard.press('Escape');
    await expect(calendar(page)).toBeHidden();
    await expect(opener(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(calendar(page).getByRole('gridcell', { selected: true })).toContainText('24');
    await page.goBack();
    await expect(calendar(page)).toBeHidden();
    await expect(page).toHaveURL(/date=2027-03-24/);
    await opener(page).click();
    await page.getByRole('banner').click({ position: { x: 2, y: 2 } });
    await expect(calendar(page)).toBeHidden();
  },
);

anotherServer('is offered beside an empty answer', async ({ page, mock }) => {
  mock.hotels = [];
  await openCalendar(page, mock);
  await expect(page.getByRole('heading', { name: /^No holidays found/ })).toBeVisible();
  await expect(calendar(page)).toContainText('£470 cheapest in March 2027');
});

anotherServer('is absent where the server does not offer it', async ({ page, mock }) => {
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  await expect(opener(page)).toHaveCount(0);
  expect(mock.prices).toHaveLength(0);
});

skylark('our own server: a price of the calendar is the price of its search', async ({ page }) => {
  await page.goto(resultsUrl());
  await expect(cards(page).first()).toBeVisible();
  await opener(page).click();
  const next = addDays(DAY, 1);
  if (next.slice(0, 7) !== DAY.slice(0, 7))
    await calendar(page).getByRole('button', { name: 'Next month' }).click();
  const day = calendar(page).getByRole('button', { name: `${formatSpokenDate(next)}, from £` });
  const price = /£\d+(,\d{3})*/.exec((await day.textContent()) ?? '')?.[0] ?? 'no price';
  await day.click();
  await expect(cards(page).first()).toContainText(formatLongDate(next));
  await expect(cards(page).first()).toContainText(price);
  await expect(results(page).getByRole('heading', { name: /^Showing/ })).toBeFocused();
});
