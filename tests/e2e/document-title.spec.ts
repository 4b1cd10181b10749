import { formatLongDate } from '../../domain/day-words.ts';
import { DAY, resultsUrl } from './support/another-search.ts';
import { expect, test } from './support/another-server.ts';
import { cards, destinationField, pick, searchButton } from './support/journeys.ts';

const HOME = 'Find a package holiday | Seaward';
const BENIDORM = `Benidorm, Costa Blanca, Spain, ${formatLongDate(DAY)}, 7 nights from Gatwick | Seaward`;

test('has the place and date in the title of every results page, even after Back and Forward', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page).toHaveTitle(HOME);
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  await expect(page).toHaveTitle(BENIDORM);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page).toHaveTitle(BENIDORM.replace(' |', ', page 2 |'));
  await pick(page, destinationField(page), 'Spain', /^Spain/);
  await page.getByLabel('How long').selectOption('10');
  await searchButton(page).click();
  await expect(page).toHaveTitle(`Spain, ${formatLongDate(DAY)}, 10 nights from Gatwick | Seaward`);
  await page.goBack();
  await expect(page).toHaveTitle(BENIDORM.replace(' |', ', page 2 |'));
  await page.goBack();
  await expect(page).toHaveTitle(BENIDORM);
  await page.goForward();
  await expect(page).toHaveTitle(BENIDORM.replace(' |', ', page 2 |'));
  await page.getByRole('banner').getByRole('link').first().click();
  await expect(page).toHaveTitle(HOME);
});

test('has a correct title if nothing is found or searched for', async ({ page }) => {
  await page.goto('/results');
  await expect(page.getByText(/^No holidays found/)).toBeVisible();
  await expect(page).toHaveTitle('No holidays found | Seaward');
  for (const unknown of [{ country: 'Atlantis' }, { from: 'XXX' }, { date: '2020-01-01' }]) {
    await page.goto(resultsUrl(unknown));
    await expect(page).toHaveTitle('We haven’t run this search yet | Seaward');
  }
});

test('shows the last page, also in title and URL, if the URL has a higher page number', async ({ page }) => {
  await page.goto(resultsUrl({ page: '999' }));
  const before = await page.evaluate(() => history.length);
  await expect(page.getByText('Page 3')).toBeVisible();
  await expect(page).toHaveTitle(BENIDORM.replace(' |', ', page 3 |'));
  await expect(page).toHaveURL(/&page=3$/);
  expect(await page.evaluate(() => history.length)).toBe(before);
});
