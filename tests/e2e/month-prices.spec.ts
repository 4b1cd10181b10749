import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { addDays, type CalendarDate, daysBetween } from '../../domain/calendar-date.ts';
import { formatLongDate, formatSpokenDate } from '../../domain/day-words.ts';
import type { PackageSearchFilters } from '../../domain/search-filters.ts';
import type { MockServer } from '../mock-server/mock-server.ts';
import { DAY, resultsUrl } from './support/another-search.ts';
import { test as anotherServer, expect } from './support/another-server.ts';
import { cards, results } from './support/journeys.ts';
import { test as skylark } from './support/skylark.ts';

/* The prices of whole months, opened from the results. */

const NOW = '2027-03-10T12:00:00Z';

const opener = (page: Page) => page.getByRole('button', { name: 'Prices by month' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Prices by month' });
const plot = (page: Page) => dialog(page).getByRole('list', { name: 'Prices by day' });
const month = (page: Page) => dialog(page).getByLabel('Month', { exact: true });
/** Matches the start of the name, because '4 nights' is a part of '14 nights'. */
const nights = (page: Page, name: string) =>
  dialog(page).getByRole('button', { name: new RegExp(`^${name}`) });

/** Departures on even days, with the cheapest on the 20th. There are no holidays of 10 nights. */
function evenDays({ startDate, endDate, duration }: PackageSearchFilters) {
  if (duration === 10) return [];
  return Array.from({ length: daysBetween(startDate, endDate) - duration + 1 }, (_, nth) =>
    addDays(startDate, nth),
  )
    .filter((date) => Number(date.slice(8)) % 2 === 0)
    .map((date) => ({ DepartureDate: date, TotalPrice: priceOf(date, duration) }));
}

function priceOf(date: CalendarDate, duration: number): number {
  const number = Number(date.slice(8));
  return (number === 20 ? 400 : 700 + number) + duration * 10;
}

/** The accessible name of a day in the plot or table. */
function dayName(date: CalendarDate, duration: number): string {
  const cheapest = date.endsWith('-20') ? ', cheapest of the month' : '';
  return `${formatSpokenDate(date)}, ${duration} nights, £${priceOf(date, duration)}${cheapest}`;
}

async function openDialog(page: Page, mock: MockServer, more: Record<string, string> = {}): Promise<void> {
  mock.script.prices = evenDays;
  await page.clock.setFixedTime(NOW);
  await page.route('**/config.json', async (route) => {
    const config = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...config, priceCalendar: true } });
  });
  await page.goto(resultsUrl({ date: '2027-03-24', ...more }));
  await expect(cards(page).first()).toBeVisible();
  await opener(page).click();
  await expect(dialog(page)).toBeVisible();
}

for (const colorScheme of ['light', 'dark'] as const) {
  anotherServer(
    `shows the prices of a month by day and by nights, in ${colorScheme}`,
    async ({ page, mock }) => {
      await page.emulateMedia({ colorScheme });
      await openDialog(page, mock);
      await expect(dialog(page)).toContainText(
        'Benidorm from Gatwick. Lowest price for 2 adults, with charges at the hotel.',
      );
      await expect(dialog(page).getByRole('status')).toHaveText(
        '£470 is the cheapest in March 2027 for 7 nights',
      );
      await expect(plot(page).getByRole('link')).toHaveCount(10);
      await expect(plot(page).getByRole('link', { name: dayName('2027-03-20', 7) })).toBeVisible();
      await expect(plot(page).getByRole('link', { name: dayName('2027-03-24', 7) })).toHaveAttribute(
        'aria-current',
        'date',
      );
      await expect(nights(page, '4 nights')).toHaveText('4 nights from £440');
      await expect(nights(page, '7 nights')).toHaveAttribute('aria-pressed', 'true');
      await expect(nights(page, '10 nights')).toHaveText('10 nights');
      expect(mock.prices).toHaveLength(1);
      await dialog(page).getByText('Show all March 2027 prices as a table').click();
      expect((await new AxeBuilder({ page }).include('dialog').analyze()).violations).toEqual([]);
    },
  );
}

anotherServer('the table has the same prices as the plots', async ({ page, mock }) => {
  await openDialog(page, mock);
  await dialog(page).getByText('Show all March 2027 prices as a table').click();
  const table = dialog(page).getByRole('table', { name: 'Lowest prices in March 2027, by day and nights' });
  await expect(table.getByRole('row')).toHaveCount(11);
  for (const duration of [4, 7, 14]) {
    const name = dayName('2027-03-20', duration);
    await expect(table.getByRole('link', { name })).toHaveText(`£${priceOf('2027-03-20', duration)}`);
  }
  await expect(
    table
      .getByRole('row', { name: /^Sat 20/ })
      .getByRole('cell')
      .nth(2),
  ).toHaveText('none');
});

anotherServer('pages through the months that can be searched, and chooses nights', async ({ page, mock }) => {
  await openDialog(page, mock);
  await expect(month(page)).toHaveValue('2027-03');
  await expect(dialog(page).getByRole('button', { name: 'Previous month' })).toBeDisabled();
  await dialog(page).getByRole('button', { name: 'Next month' }).click();
  await expect(dialog(page).getByRole('status')).toHaveText(
    '£470 is the cheapest in April 2027 for 7 nights',
  );
  await month(page).selectOption('October 2027');
  await nights(page, '14 nights').click();
  await expect(dialog(page).getByRole('status')).toHaveText(
    '£540 is the cheapest in October 2027 for 14 nights',
  );
  // March has 31 days, although the clocks change.
  await expect(plot(page).getByRole('listitem')).toHaveCount(31);
  await expect(plot(page).getByRole('link', { name: dayName('2027-10-30', 14) })).toBeVisible();
  await nights(page, '10 nights').click();
  await expect(dialog(page).getByRole('status')).toHaveText('No 10-night holidays found in October 2027.');
  await month(page).selectOption('September 2028');
  await expect(dialog(page).getByRole('button', { name: 'Next month' })).toBeDisabled();
  await expect(month(page).getByRole('option')).toHaveCount(19);
});

anotherServer('a day leads to its search, with its nights and the filters', async ({ page, mock }) => {
  await openDialog(page, mock, { stars: '4' });
  await expect(dialog(page)).toContainText('with your filters');
  await nights(page, '14 nights').click();
  const link = plot(page).getByRole('link', { name: dayName('2027-03-20', 14) });
  await expect(link).toHaveAttribute('href', /date=2027-03-20&nights=14/);
  await link.click();
  await expect(dialog(page)).toBeHidden();
  await expect(page).toHaveURL(/date=2027-03-20&nights=14/);
  await expect
    .poll(() => mock.searches.at(-1)?.body.variables.filters)
    .toMatchObject({
      startDate: '2027-03-20',
      endDate: '2027-04-03',
      duration: 14,
      starRating: 4,
    });
  await expect(page.getByLabel('When')).toHaveValue('20/03/2027');
  await expect(page.getByLabel('How long')).toHaveValue('14');
});

anotherServer(
  'works by keyboard: one day has the tab stop, and arrows move among the days',
  async ({ page, mock }) => {
    await openDialog(page, mock);
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
    await expect(opener(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(plot(page).getByRole('link')).toHaveCount(10);
    await dialog(page).getByRole('button', { name: 'Next month' }).focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    const focused = (date: CalendarDate) => plot(page).getByRole('link', { name: dayName(date, 7) });
    await expect(focused('2027-03-24')).toBeFocused();
    for (const [key, date] of [
      ['ArrowRight', '2027-03-26'],
      ['ArrowLeft', '2027-03-24'],
      ['ArrowUp', '2027-03-16'],
      ['ArrowDown', '2027-03-24'],
      ['Home', '2027-03-12'],
      ['End', '2027-03-30'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(focused(date), key).toBeFocused();
    }
    await expect(dialog(page)).toContainText('Tuesday 30 March 2027: £800');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/date=2027-03-30/);
    await expect(cards(page).first()).toContainText('30th March 2027');
  },
);

anotherServer('says that prices failed, and asks again', async ({ page, mock }) => {
  await openDialog(page, mock);
  mock.script.prices = () => null;
  await month(page).selectOption('May 2027');
  await expect(dialog(page).getByRole('alert')).toContainText('We couldn’t load the prices.');
  mock.script.prices = evenDays;
  await dialog(page).getByRole('button', { name: 'Try again' }).click();
  await expect(dialog(page).getByRole('status')).toHaveText('£470 is the cheapest in May 2027 for 7 nights');
  await expect(dialog(page).getByRole('alert')).toHaveCount(0);
});

anotherServer('is offered beside an empty answer', async ({ page, mock }) => {
  mock.hotels = [];
  mock.script.prices = evenDays;
  await page.clock.setFixedTime(NOW);
  await page.route('**/config.json', async (route) => {
    const config = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...config, priceCalendar: true } });
  });
  await page.goto(resultsUrl({ date: '2027-03-24' }));
  await expect(page.getByRole('heading', { name: /^No holidays found/ })).toBeVisible();
  await opener(page).click();
  await expect(plot(page).getByRole('link')).toHaveCount(10);
});

anotherServer('is absent where the server does not offer it', async ({ page, mock }) => {
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  await expect(opener(page)).toHaveCount(0);
  expect(mock.prices).toHaveLength(0);
});

skylark(
  'our own server: a price of the plot and of the calendar is the price of its search',
  async ({ page }) => {
    await page.goto(resultsUrl());
    await expect(cards(page).first()).toBeVisible();
    await page.getByLabel('When').click();
    const calendar = page.getByRole('dialog', { name: 'Choose a departure date' });
    await expect(calendar.getByRole('button', { name: `${formatSpokenDate(DAY)}, from £400` })).toBeVisible();
    await page.keyboard.press('Escape');
    await opener(page).click();
    const next = addDays(DAY, 1);
    if (next.slice(0, 7) !== DAY.slice(0, 7)) {
      await dialog(page).getByRole('button', { name: 'Next month' }).click();
    }
    await nights(page, '10 nights').click();
    const link = plot(page).getByRole('link', { name: `${formatSpokenDate(next)}, 10 nights, £` });
    const price = /£\d+(,\d{3})*/.exec((await link.getAttribute('aria-label')) ?? '')?.[0] ?? 'no price';
    await link.click();
    await expect(cards(page).first()).toContainText(formatLongDate(next));
    await expect(cards(page).first()).toContainText('10 nights');
    await expect(cards(page).first()).toContainText(price);
    await expect(results(page).getByRole('heading', { name: /^Showing/ })).toBeFocused();
  },
);
