import { addDays, addMonths } from '../../domain/calendar-date.ts';
import { formatLongDate, formatShortDate } from '../../domain/day-words.ts';
import { resultsUrl, TODAY } from './support/another-search.ts';
import { expect, test } from './support/another-server.ts';
import {
  activeFilters,
  airportField,
  cards,
  destinationField,
  pick,
  results,
  searchButton,
} from './support/journeys.ts';

/* URLs with invalid parts. */

const TOMORROW = formatShortDate(addDays(TODAY, 1));

for (const [what, date, words] of [
  ['has passed', '2020-01-01', '1 January 2020 has passed'],
  ['is none', 'soon', '‘soon’ isn’t a date'],
] as const) {
  test(`does not search for a date that ${what}: the field shows tomorrow, and a message asks for another date`, async ({
    page,
    mock,
  }) => {
    await page.goto(resultsUrl({ date, nights: '10' }));
    await expect(
      results(page).getByRole('heading', { name: 'We haven’t run this search yet' }),
    ).toBeVisible();
    await expect(results(page).getByRole('listitem')).toHaveText([
      new RegExp(`${words}.*, so we’ve put in tomorrow\\. Choose another date\\.$`),
    ]);
    await expect(page.getByText(/^No holidays found/)).toBeHidden();
    await expect(page.getByLabel('When')).toHaveValue(TOMORROW);
    await expect(destinationField(page)).toHaveValue('Benidorm, Costa Blanca, Spain');
    await expect(page.getByText('Gatwick', { exact: true })).toBeVisible();
    await expect(page.getByLabel('How long')).toHaveValue('10');
    expect(mock.searches).toHaveLength(0);
    await searchButton(page).click();
    await expect(cards(page)).toHaveCount(10);
    await expect(results(page).getByText(words)).toBeHidden();
    expect(mock.searches[0]?.body.variables.filters.startDate).toBe(addDays(TODAY, 1));
  });
}

test('names an unlisted place, empties its field, and sends no request', async ({ page, mock }) => {
  for (const [parts, named] of [
    [{ country: 'Atlantis', region: '', resort: '' }, '‘Atlantis’'],
    [{ resort: 'Malia' }, '‘Malia, Costa Blanca, Spain’'],
    [{ resort: 'A'.repeat(5_000) }, '‘AAAA'],
  ] as const) {
    await page.goto(resultsUrl(parts));
    await expect(results(page).getByRole('listitem')).toHaveText([
      new RegExp(`^${named}.*Choose another place\\.$`),
    ]);
    await expect(destinationField(page)).toHaveValue('');
    await expect(searchButton(page)).toBeDisabled();
  }
  expect(mock.searches).toHaveLength(0);
  await pick(page, destinationField(page), 'Benidorm', /^Benidorm/);
  await searchButton(page).click();
  await expect(cards(page)).toHaveCount(10);
});

test('names an unlisted airport, empties its field, and sends no request', async ({ page, mock }) => {
  for (const from of ['XXX', 'region:XXX', '<b>']) {
    await page.goto(resultsUrl({ from }));
    await expect(results(page).getByRole('listitem')).toHaveText(
      `‘${from}’ isn’t one of our departure airports. Choose another airport.`,
    );
    await expect(searchButton(page)).toBeDisabled();
  }
  expect(mock.searches).toHaveLength(0);
  await pick(page, airportField(page), 'Gatwick', /Gatwick/);
  await searchButton(page).click();
  await expect(cards(page)).toHaveCount(10);
});

test('names all unreadable parts of a URL', async ({ page, mock }) => {
  await page.goto('/results?country=Atlantis&from=XXX&date=2020-01-01&nights=5&stars=4.5');
  await expect(results(page).getByRole('listitem')).toHaveText([
    /^‘Atlantis’ /,
    /^‘XXX’ /,
    /^1 January 2020 has passed/,
    '‘5’ isn’t available; showing 7 nights.',
    '‘4.5’ isn’t a whole number of stars, so we’re showing 4.',
  ]);
  await expect(page.getByLabel('When')).toHaveValue(TOMORROW);
  await expect(page.getByLabel('How long')).toHaveValue('7');
  expect(mock.searches).toHaveLength(0);
});

test('searches with defaults for unreadable parts, and names them next to the results until the next search', async ({
  page,
  mock,
}) => {
  await page.goto(resultsUrl({ nights: '5', stars: '4.5', board: 'XX', sort: 'cheapest', size: '7' }));
  await expect(page.getByText('Showing 1 to 10 of 23 results')).toBeVisible();
  const notes = results(page).getByRole('status').getByRole('listitem');
  await expect(notes).toHaveText([
    '‘5’ isn’t available; showing 7 nights.',
    '‘XX’ isn’t a board basis, so we’re showing any board.',
    '‘4.5’ isn’t a whole number of stars, so we’re showing 4.',
    '‘cheapest’ isn’t a sort order, so we’re showing Recommended.',
    '‘7’ isn’t a number of results per page, so we’re showing 10.',
  ]);
  await expect(page.getByLabel('How long')).toHaveValue('7');
  await expect(activeFilters(page)).toHaveText([/4 star/]);
  const { filters } = mock.searches[0]?.body.variables ?? {};
  expect(filters).toMatchObject({ duration: 7, starRating: 4 });
  expect(filters).not.toHaveProperty('boardBasis');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Showing 11 to 20 of 23 results')).toBeVisible();
  await expect(notes).toHaveCount(0);
  await page.goBack();
  await expect(notes).toHaveCount(5);
});

test("shows a place in the list's spelling", async ({ page, mock }) => {
  await page.goto('/results?country=SPAIN&region=andalucia&resort=malaga&from=lgw');
  await expect(destinationField(page)).toHaveValue('Málaga, Andalucía, Spain');
  await expect.poll(() => mock.searches.length).toBe(1);
  expect(mock.searches[0]?.body.variables.filters).toMatchObject({ country: 'Spain', resort: 'Málaga' });
});

test('shows the searched day for a URL without one', async ({ page }) => {
  await page.goto('/results?country=Spain&from=LGW');
  await expect(cards(page)).toHaveCount(10);
  await expect(page.getByLabel('When')).toHaveValue(formatShortDate(addMonths(TODAY, 1)));
  await expect(page).toHaveTitle(new RegExp(formatLongDate(addMonths(TODAY, 1))));
});

test('says that the device’s clock is wrong instead of that there are no holidays', async ({
  page,
  mock,
}) => {
  await page.clock.setFixedTime(Date.now() - 21 * 24 * 60 * 60 * 1000);
  mock.script.search = () => ({ items: [] });
  await page.goto(resultsUrl());
  await expect(page.getByRole('heading', { name: /^Your device says it’s .*, but it’s / })).toBeVisible();
  await expect(page.getByText('No holidays found')).toHaveCount(0);
});
