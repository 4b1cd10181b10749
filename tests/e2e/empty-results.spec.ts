import type { Locator, Page } from '@playwright/test';
import { addDays, type CalendarDate } from '../../domain/calendar-date.ts';
import { formatBriefWeekday } from '../../domain/day-words.ts';
import { formatPounds } from '../../domain/money.ts';
import { BENIDORM_BY_PRICE, BENIDORM_HOTELS, benidormPrice, TODAY } from '../fixtures/market.ts';
import { DAY, resultsUrl } from './support/another-search.ts';
import { cards, results } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

/*
 * Offers of an empty search, each one tap away. The small market has 7 and 10 nights from Gatwick (LGW), Luton and
 * Manchester on the next 60 days, for two adults.
 */

const CHEAPEST = benidormPrice(BENIDORM_BY_PRICE[0] ?? 0);
const LAST_DAY = addDays(TODAY, 60);

const message = (page: Page) =>
  page.getByText(
    'No holidays found matching your search criteria. Try adjusting your filters or search for different dates.',
  );

function offers(page: Page, kind: string): Locator {
  return results(page).getByRole('region', { name: kind }).getByRole('link');
}

const from = (pounds: number) => `from ${formatPounds(pounds)}`;

/** Opens a search that finds nothing, and offers with charges. */
async function openEmpty(page: Page, changes: Record<string, string>): Promise<void> {
  await page.goto(resultsUrl(changes));
  await expect(message(page)).toBeVisible();
  await expect(results(page).getByText(/lowest price, with charges at the hotel/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Tell me when there is something' })).toBeVisible();
}

/** Takes an offer: it finds something, and the cheapest costs what the offer says. */
async function take(
  page: Page,
  offer: Locator,
  { date = DAY as CalendarDate, hotels = BENIDORM_HOTELS } = {},
) {
  const [, pounds = ''] = /from (£[\d,]+)$/.exec((await offer.textContent()) ?? '') ?? [];
  await offer.click();
  await expect(page).toHaveURL(new RegExp(`date=${date}`));
  await expect(page.getByText(new RegExp(`of ${hotels} results`)).first()).toBeVisible();
  await expect(cards(page).first()).toContainText(pounds);
}

test('another airport, where none flies from the chosen one', async ({ page }) => {
  await openEmpty(page, { from: 'BHX' });
  await expect(offers(page, 'Other airports')).toHaveText([
    `London Gatwick ${from(CHEAPEST)}`,
    `London Luton ${from(CHEAPEST + 20)}`,
    `Manchester ${from(CHEAPEST + 50)}`,
  ]);
  await take(page, offers(page, 'Other airports').nth(1));
  await expect(page).toHaveURL(/from=LTN/);
});

test('the nearest days, and the nearest at other airports', async ({ page }) => {
  await openEmpty(page, { date: addDays(LAST_DAY, 3) });
  const days = [-3, -2, -1, 0].map((days) => addDays(LAST_DAY, days));
  await expect(offers(page, 'Nearest days')).toHaveText(
    days.map((day) => `${formatBriefWeekday(day)} ${from(CHEAPEST)}`),
  );
  await expect(offers(page, 'Other airports').first()).toHaveText(
    `London Luton, ${formatBriefWeekday(LAST_DAY)} ${from(CHEAPEST + 20)}`,
  );
  await take(page, offers(page, 'Nearest days').last(), { date: LAST_DAY });
});

test('days that are months away', async ({ page }) => {
  await openEmpty(page, { date: addDays(LAST_DAY, 300) });
  await expect(offers(page, 'Nearest days').last()).toHaveText(
    `${formatBriefWeekday(LAST_DAY)} ${from(CHEAPEST)}`,
  );
});

test('other nights', async ({ page }) => {
  await openEmpty(page, { nights: '14' });
  await expect(offers(page, 'Other nights')).toHaveText([
    `7 nights ${from(CHEAPEST)}`,
    `10 nights ${from(CHEAPEST + 90)}`,
  ]);
  await take(page, offers(page, 'Other nights').last());
  await expect(page).toHaveURL(/nights=10/);
});

test('fewer travellers', async ({ page }) => {
  await page.route('**/config.json', async (route) => {
    const config = (await (await route.fetch()).json()) as object;
    const parties = [2, 4].map((adults) => ({ adults, children: 0, infants: 0 }));
    await route.fulfill({ json: { ...config, parties } });
  });
  await openEmpty(page, { adults: '4' });
  await expect(offers(page, 'Fewer travellers')).toHaveText([`2 adults ${from(CHEAPEST)}`]);
  await take(page, offers(page, 'Fewer travellers').first());
  await expect(page).not.toHaveURL(/adults/);
});

test('other places, where one has no packages', async ({ page }) => {
  await openEmpty(page, { country: 'Cyprus', region: 'Paphos', resort: 'Paphos' });
  const places = offers(page, 'Other places');
  await expect(places).toHaveText([/^Costa Blanca, Spain.* from £\d+$/, /^Crete, Greece.* from £\d+$/]);
  await places.last().click();
  await expect(page).toHaveURL(/country=Greece&region=Crete&from=LGW/);
  await expect(cards(page)).toHaveCount(1);
});

test('the region and the country around an empty resort', async ({ page }) => {
  await openEmpty(page, { resort: 'Calpe' });
  await expect(offers(page, 'Other places').first()).toHaveText(
    new RegExp(`^Anywhere in Costa Blanca.* ${from(CHEAPEST)}$`),
  );
});

test('the search without the filter that finds nothing', async ({ page }) => {
  await openEmpty(page, { minstars: '5', hotel: 'Brisa 02' });
  const fewer = offers(page, 'Fewer filters');
  await expect(fewer).toHaveText([
    `Without 5 stars and up: 1 hotel ${from(benidormPrice(2))}`,
    /^Without Hotel: Brisa 02: \d+ hotels from £\d+$/,
    `Without filters: ${BENIDORM_HOTELS} hotels ${from(CHEAPEST)}`,
  ]);
  await take(page, fewer.first(), { hotels: 1 });
  await expect(page).toHaveURL(/hotel=Brisa/);
  await expect(page).not.toHaveURL(/minstars/);
});

test('another trip, where nothing is found without the filters either', async ({ page }) => {
  await openEmpty(page, { nights: '14', minstars: '4' });
  await take(page, offers(page, 'Other nights').first());
  await expect(page).not.toHaveURL(/minstars/);
});

test('moves the focus to the headline of what an offer opens', async ({ page }) => {
  await openEmpty(page, { nights: '14' });
  await offers(page, 'Other nights').first().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /^Showing 1 to 10/ })).toBeFocused();
});

test('nothing where the server knows no other prices', async ({ page }) => {
  await page.route('**/config.json', async (route) => {
    const config = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...config, priceCalendar: false, explore: false } });
  });
  await page.goto(resultsUrl({ nights: '14' }));
  await expect(message(page)).toBeVisible();
  await expect(page.getByText('Looking for what there is instead...')).toBeHidden();
  await expect(results(page).getByRole('link')).toHaveCount(0);
});
