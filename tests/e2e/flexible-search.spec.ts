import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { addDays } from '../../domain/calendar-date.ts';
import { DAY, resultsUrl } from './support/another-search.ts';
import { test as anotherServer, expect } from './support/another-server.ts';
import {
  airportField,
  cards,
  destinationField,
  editSearch,
  pick,
  results,
  searchButton,
} from './support/journeys.ts';
import { test as skylark } from './support/skylark.ts';

/* Several places, days either side and a range of nights in one search. */

const FLEXIBLE = { or: 'Greece|Crete|Malia', flex: '3', nights: '7-10' };

const options = (page: Page) => page.getByRole('button', { name: /^More options/ });
const another = (page: Page) => page.getByRole('combobox', { name: 'Or another place' });

skylark('a search covers two places, three days either side and a range of nights', async ({ page }) => {
  await page.goto('/');
  await pick(page, destinationField(page), 'Benidorm', /^Benidorm/);
  await pick(page, airportField(page), 'Gatwick', /Gatwick/);
  await options(page).press('Enter');
  await expect(page.getByLabel('Departure', { exact: true })).toBeFocused();
  await page.getByLabel('Departure', { exact: true }).selectOption('±3 days');
  await page.getByLabel('Nights', { exact: true }).selectOption('7 to 10 nights');
  await pick(page, another(page), 'Malia', /^Malia/);
  await expect(another(page)).toHaveCount(2);
  await expect(another(page).first()).toBeFocused();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);
  await searchButton(page).click();
  await expect(results(page).getByRole('heading', { name: 'Showing 1 to 10 of 24 results' })).toBeVisible();
  await expect(options(page)).toHaveText('More options: ±3 days · 7 to 10 nights · or Malia');
  await expect(page).toHaveTitle(/^Benidorm, Costa Blanca, Spain or Malia, .* ±3 days, 7 to 10 nights from/);
  const url = new URL(page.url());
  expect(Object.fromEntries(url.searchParams)).toMatchObject(FLEXIBLE);

  await page.goto('/');
  await page.getByRole('link', { name: /^Benidorm.* or Malia.* ±3 days, 7 to 10 nights$/ }).click();
  await expect(page).toHaveURL(url.href);
  await expect(cards(page)).toHaveCount(10);

  // A day in the strip searches only that day, and keeps the other options.
  await page.getByRole('region', { name: 'Cheapest around these dates' }).getByRole('button').last().click();
  await expect(options(page)).toHaveText('More options: 7 to 10 nights · or Malia');

  await options(page).click();
  await another(page).first().fill('');
  await expect(options(page)).toHaveText('More options: 7 to 10 nights');
});

skylark('a link opens a flexible search; on a phone, a line sums it up', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(resultsUrl(FLEXIBLE));
  await expect(cards(page)).toHaveCount(10);
  await expect(
    page.getByRole('button', { name: /^Edit search: Benidorm or Malia · .* ±3 days · 7 to 10 nights · / }),
  ).toBeVisible();
  await editSearch(page);
  await options(page).click();
  await expect(another(page).first()).toHaveValue('Malia, Crete, Greece');
  await expect(page.getByLabel('Nights', { exact: true })).toHaveValue('10');
});

skylark('an alert keeps the search, and its link marks the hotel there', async ({ page }) => {
  const intents: { packageHoliday: { ItemKey: string }; search: string }[] = [];
  await page.route('**/intents', (route) => {
    intents.push(route.request().postDataJSON().intent);
    return route.fulfill({ json: { status: 'ok' } });
  });
  await page.goto(resultsUrl({ ...FLEXIBLE, sort: 'stars-desc' }));
  await expect(cards(page)).toHaveCount(10);
  const last = cards(page).last();
  await last.getByRole('button', { name: /^Set up price alerts/ }).click();
  const modal = page.getByRole('dialog', { name: 'Watch this' });
  await modal.getByLabel('Your phone number').fill('07700 900123');
  await modal.getByRole('button', { name: 'Track with WhatsApp' }).click();
  await expect(modal.getByRole('button', { name: 'Submitted' })).toBeVisible();
  const { search = '', packageHoliday } = intents[0] ?? {};
  expect(Object.fromEntries(new URLSearchParams(search))).toEqual(
    Object.fromEntries(new URL(resultsUrl(FLEXIBLE), page.url()).searchParams),
  );

  const hotel = await last.getByRole('heading').textContent();
  await page.goto(`/results?${search}&holiday=${encodeURIComponent(packageHoliday?.ItemKey ?? '')}`);
  await expect(page.locator('[aria-current=true]').getByRole('heading')).toHaveText(hotel ?? '');
});

skylark('an unlisted place is named, and nothing is searched', async ({ page }) => {
  await page.goto(resultsUrl({ ...FLEXIBLE, or: 'Atlantis', flex: '9' }));
  await expect(results(page).getByRole('listitem')).toHaveText([
    '‘Atlantis’ isn’t one of our destinations. Choose another place.',
    '‘9’ isn’t a choice of days, so we’re showing one day.',
  ]);
  await expect(results(page).getByRole('heading', { name: 'We haven’t run this search yet' })).toBeVisible();
});

skylark('typing ‘anywhere’ offers Explore', async ({ page }) => {
  await page.goto('/');
  await pick(page, airportField(page), 'Gatwick', /Gatwick/);
  await destinationField(page).fill('Anywhere');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByText('Choose a place from the list')).toBeHidden();
  await page.getByRole('link', { name: 'Going anywhere? Explore every place by price' }).press('Enter');
  await expect(page).toHaveURL(/\/explore\?from=LGW/);
});

anotherServer(
  'a server without flexible searches gets the specified filters, and a link says so',
  async ({ page, mock }) => {
    await page.goto(resultsUrl(FLEXIBLE));
    await expect(cards(page)).toHaveCount(10);
    await expect(options(page)).toHaveCount(0);
    await expect(results(page).getByRole('listitem').first()).toHaveText(
      'We can’t search flexibly here, so we’re showing the first place, that day and the fewest nights.',
    );
    const { filters } = mock.searches[0]?.body.variables ?? {};
    expect(filters).toMatchObject({
      startDate: DAY,
      endDate: addDays(DAY, 7),
      duration: 7,
      resort: 'Benidorm',
    });
    expect(Object.keys(filters ?? {})).not.toEqual(expect.arrayContaining(['places']));
  },
);
