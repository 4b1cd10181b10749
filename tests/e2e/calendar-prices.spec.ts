import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { addDays, type CalendarDate, daysBetween } from '../../domain/calendar-date.ts';
import { formatSpokenDate } from '../../domain/day-words.ts';
import type { PackageSearchFilters } from '../../domain/search-filters.ts';
import { searchHotels } from '../mock-server/mock-server.ts';
import { expect, test } from './support/another-server.ts';
import { airportField, cards, destinationField, pick, searchButton } from './support/journeys.ts';

/* Prices in the calendar of 'When', if the server offers them. */

const NOW = '2027-03-10T12:00:00Z';

const when = (page: Page) => page.getByLabel('When');
const calendar = (page: Page) => page.getByRole('dialog', { name: 'Choose a departure date' });
const day = (page: Page, name: string | RegExp) => calendar(page).getByRole('button', { name });

async function offerPrices(page: Page): Promise<void> {
  await page.route('**/config.json', async (route) => {
    const config = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...config, priceCalendar: true } });
  });
}

/** Prices for each departure day of the window except the 21st. The 20th is the cheapest day in each month. */
function everyDay({ startDate, endDate, duration }: PackageSearchFilters) {
  const days = Array.from({ length: daysBetween(startDate, endDate) - duration + 1 }, (_, nth) =>
    addDays(startDate, nth),
  );
  return days
    .filter((date) => !date.endsWith('-21'))
    .map((date) => ({ DepartureDate: date, TotalPrice: priceOf(date, duration) }));
}

function priceOf(date: CalendarDate, nights: number): number {
  const number = Number(date.slice(8));
  return (number === 20 ? 400 : 1_100 + number) + nights * 10;
}

async function fillForm(page: Page): Promise<void> {
  await pick(page, destinationField(page), 'Benidorm', /^Benidorm/);
  await pick(page, airportField(page), 'Gatwick', /Gatwick/);
}

async function openFilled(page: Page, instant = NOW): Promise<void> {
  await page.clock.setFixedTime(instant);
  await offerPrices(page);
  await page.goto('/');
  await fillForm(page);
  await when(page).click();
  await expect(calendar(page)).toBeVisible();
}

function boxOf(part: Locator) {
  return part.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x, y, width, height].map(Math.round);
  });
}

test('shows the lowest price of each day, and states the cheapest of the month in words', async ({
  page,
  mock,
}) => {
  mock.script.prices = everyDay;
  await openFilled(page);
  await expect(calendar(page)).toContainText(
    'Lowest price for 2 adults, 7 nights, with charges at the hotel',
  );
  await expect(calendar(page).getByText('£470 cheapest in March 2027')).toBeVisible();
  await expect(
    day(page, 'Saturday 20 March 2027, from £470 for 2 adults, cheapest of the month'),
  ).toContainText('£470');
  await expect(day(page, /^Friday 19 March 2027, from £1,189 for 2 adults$/)).toBeVisible();
  // A day without a price can also be picked.
  await expect(day(page, /^Sunday 21 March 2027$/)).toBeEnabled();
  await expect(day(page, /^Tuesday 9 March 2027$/)).toBeDisabled();
  expect(mock.prices).toHaveLength(1);
  expect(Object.values(mock.prices[0]?.variables ?? {})).toEqual([
    expect.objectContaining({
      brand: 'SEA',
      resort: 'Benidorm',
      departureAirports: ['LGW'],
      startDate: '2027-03-11',
      endDate: '2027-04-07',
      duration: 7,
      numberOfAdults: 2,
    }),
  ]);
  expect((await new AxeBuilder({ page }).include('[role="dialog"]').analyze()).violations).toEqual([]);
  await day(page, /^Sunday 21 March 2027$/).click();
  await expect(calendar(page)).toBeHidden();
  await expect(when(page)).toHaveValue('21/03/2027');
  await expect(when(page)).toBeFocused();
});

test('requests prices only for other months and nights, and once for each', async ({ page, mock }) => {
  mock.script.prices = everyDay;
  await openFilled(page);
  await expect(calendar(page)).toContainText('cheapest in March 2027');
  await page.keyboard.press('PageDown');
  await expect(calendar(page)).toContainText('£470 cheapest in April 2027');
  await page.keyboard.press('PageUp');
  await expect(calendar(page)).toContainText('cheapest in March 2027');
  expect(mock.prices).toHaveLength(2);
  await page.keyboard.press('Escape');
  await page.getByLabel('How long').selectOption('14');
  await when(page).click();
  await expect(calendar(page)).toContainText('£540 cheapest in March 2027');
  await expect(calendar(page)).toContainText('14 nights');
  expect(mock.prices).toHaveLength(3);
});

for (const { what, instant, month, last } of [
  { what: 'spring', instant: '2027-03-10T12:00:00Z', month: '2027-03', last: '2027-03-31' },
  { what: 'autumn', instant: '2027-10-01T12:00:00Z', month: '2027-10', last: '2027-10-31' },
]) {
  for (const timezoneId of ['Europe/London', 'Pacific/Auckland', 'Pacific/Honolulu']) {
    test.describe(`a clock in ${timezoneId}`, () => {
      test.use({ timezoneId });
      test(`shows each day's own price around the clock change in ${what}`, async ({ page, mock }) => {
        mock.script.prices = everyDay;
        await openFilled(page, instant);
        await expect(calendar(page)).toContainText('£470 cheapest in');
        for (const date of [`${month}-27`, `${month}-28`, `${month}-29`, `${month}-30`, last]) {
          const pounds = priceOf(date, 7).toLocaleString('en-GB');
          await expect(day(page, `${formatSpokenDate(date)}, from £${pounds} for`)).toBeVisible();
        }
      });
    });
  }
}

test('can be opened and used while prices load, and nothing moves when they arrive', async ({
  page,
  mock,
}) => {
  let arrive = () => {};
  const wait = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  mock.script.prices = async (filters) => {
    await wait;
    return everyDay(filters);
  };
  await openFilled(page);
  await expect(calendar(page)).toContainText('Looking up prices...');
  const parts = [calendar(page), day(page, /Wednesday 31 March 2027/), day(page, /Saturday 20 March 2027/)];
  const before = await Promise.all(parts.map(boxOf));
  arrive();
  await expect(calendar(page)).toContainText('cheapest in March 2027');
  expect(await Promise.all(parts.map(boxOf))).toEqual(before);
  await expect(day(page, /^Thursday 11 March 2027/)).toBeFocused();

  mock.script.prices = () => new Promise(() => {});
  await page.keyboard.press('PageDown');
  await expect(calendar(page)).toContainText('Looking up prices...');
  await page.keyboard.press('Enter');
  await expect(when(page)).toHaveValue('11/04/2027');
});

test('aborts a request that is replaced, and requests no prices for months that are only paged over', async ({
  page,
  mock,
}) => {
  mock.script.prices = () => new Promise(() => {});
  await openFilled(page);
  await expect.poll(() => mock.prices.length).toBe(1);
  const aborted = page.waitForEvent('requestfailed', (request) => request.method() === 'POST');
  mock.script.prices = everyDay;
  for (let months = 0; months < 6; months += 1) await page.keyboard.press('PageDown');
  await expect(calendar(page)).toContainText('cheapest in September 2027');
  expect((await aborted).failure()?.errorText).toBe('net::ERR_ABORTED');
  const months = mock.prices.flatMap(({ variables }) =>
    Object.values(variables).map(({ startDate }) => startDate.slice(0, 7)),
  );
  expect(months[0]).toBe('2027-03');
  expect(months.at(-1)).toBe('2027-09');
  expect(months.length).toBeLessThan(7);
});

test('offers to try again if the prices fail, and works without them', async ({ page, mock }) => {
  await openFilled(page);
  const retry = calendar(page).getByRole('button', { name: 'Try again' });
  await expect(calendar(page).getByRole('alert')).toHaveText('We couldn’t load prices. Try again');
  mock.script.prices = everyDay;
  await retry.press('Enter');
  await expect(calendar(page)).toContainText('cheapest in March 2027');
  await expect(calendar(page).locator(':focus')).toHaveCount(1);
  await day(page, /^Sunday 21 March 2027$/).click();
  await expect(when(page)).toHaveValue('21/03/2027');
  mock.script.search = (variables) => searchHotels(mock.hotels, variables);
  await searchButton(page).click();
  await expect(cards(page)).toHaveCount(10);
});

test('says that a month has no holidays', async ({ page, mock }) => {
  mock.script.prices = () => [];
  await openFilled(page);
  await expect(calendar(page)).toContainText('No holidays found in March 2027');
});

test('requests no prices without a destination and an airport', async ({ page, mock }) => {
  mock.script.prices = everyDay;
  await page.clock.setFixedTime(NOW);
  await offerPrices(page);
  await page.goto('/');
  await pick(page, destinationField(page), 'Benidorm', /^Benidorm/);
  await when(page).click();
  await expect(day(page, /^Saturday 20 March 2027$/)).toHaveText('20');
  await expect(calendar(page)).not.toContainText(/price/i);
  await page.keyboard.press('Escape');
  await pick(page, airportField(page), 'Gatwick', /Gatwick/);
  await when(page).click();
  await expect(calendar(page)).toContainText('cheapest in March 2027');
  const asked = mock.prices.flatMap(({ variables }) => Object.values(variables));
  expect(asked.map(({ departureAirports }) => departureAirports)).toEqual(asked.map(() => ['LGW']));
});

test('requests no prices from a server that does not offer them', async ({ page, mock }) => {
  await page.clock.setFixedTime(NOW);
  await page.goto('/');
  await fillForm(page);
  await when(page).click();
  await expect(day(page, /^Saturday 20 March 2027$/)).toHaveText('20');
  await page.keyboard.press('Escape');
  await searchButton(page).click();
  await expect(cards(page).first()).toBeVisible();
  expect(mock.prices).toHaveLength(0);
});

for (const { width, letters } of [
  { width: 320, letters: 100 },
  { width: 320, letters: 200 },
  { width: 375, letters: 150 },
]) {
  test(`prices of five digits fit a calendar ${width} wide with letters of ${letters} %`, async ({
    page,
    mock,
  }) => {
    mock.script.prices = (filters) =>
      everyDay(filters).map((one) => ({ ...one, TotalPrice: one.TotalPrice + 18_000 }));
    await page.setViewportSize({ width, height: 900 });
    await openFilled(page);
    await expect(calendar(page)).toContainText('cheapest in March 2027');
    await page.evaluate((percent) => {
      document.documentElement.style.fontSize = `${percent}%`;
    }, letters);
    const outside = await calendar(page).evaluate((dialog) => {
      const edge = dialog.getBoundingClientRect();
      const page = document.documentElement;
      return [
        ...(page.scrollWidth > page.clientWidth || edge.right > page.clientWidth ? ['the page'] : []),
        ...[...dialog.querySelectorAll('td')].flatMap((cell) => {
          const { width } = cell.getBoundingClientRect();
          const range = document.createRange();
          return [...cell.querySelectorAll('span:not(.visually-hidden), small')].flatMap((text) => {
            range.selectNodeContents(text);
            return range.getBoundingClientRect().width > width ? [text.textContent] : [];
          });
        }),
      ];
    });
    expect(outside).toEqual([]);
  });
}
