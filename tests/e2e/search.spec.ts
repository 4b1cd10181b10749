import { addDays } from '../../domain/calendar-date.ts';
import { formatLongDate } from '../../domain/day-words.ts';
import {
  BENIDORM_BY_PRICE,
  BENIDORM_HOTELS,
  benidormName,
  benidormPrice,
  TODAY,
} from '../fixtures/market.ts';
import { marketFolder, startSkylark } from '../fixtures/running-skylark.ts';
import { airportField, cards, destinationField, pick, search, searchButton } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

const TOMORROW = addDays(TODAY, 1);
const FAILED = 'Failed to search holidays. Please try again.';

test('searches by mouse and shows priced packages for tomorrow', async ({ page }) => {
  await page.goto('/');
  await expect(searchButton(page)).toBeDisabled();
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });

  await expect(page).toHaveURL(/\/results\?/);
  await expect(page.getByText(`Showing 1 to 10 of ${BENIDORM_HOTELS} results`)).toBeVisible();
  await expect(cards(page)).toHaveCount(10);
  const cheapest = BENIDORM_BY_PRICE[0] ?? 0;
  const first = cards(page).first();
  await expect(first.getByRole('heading')).toContainText(benidormName(cheapest));
  await expect(first).toContainText('Benidorm, Costa Blanca, Spain');
  await expect(first).toContainText(formatLongDate(TOMORROW));
  await expect(first).toContainText('7 nights');
  await expect(first).toContainText('London Gatwick');
  await expect(first).toContainText('Skylark Test Air');
  await expect(first).toContainText('2h 35m');
  await expect(first).toContainText(`£${benidormPrice(cheapest)}`);
});

// @proves 1.3, 2.38
test("opens the provider's page in a new tab without an opener on 'Visit site'", async ({
  page,
  context,
}) => {
  const asked: string[] = [];
  await context.route('https://www.sunward.example/**', async (route) => {
    asked.push(route.request().url());
    await route.fulfill({ contentType: 'text/html', body: '<title>Sunward</title>' });
  });
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  const opened = context.waitForEvent('page');
  await cards(page)
    .first()
    .getByRole('link', { name: /Visit site/ })
    .click();
  const provider = await opened;
  await expect(provider).toHaveTitle('Sunward');
  expect(await provider.evaluate(() => window.opener)).toBeNull();
  expect(asked).toEqual([
    `https://www.sunward.example/holidays/BEN${BENIDORM_BY_PRICE[0]}?from=LGW&date=${TOMORROW}&nights=7`,
  ]);
});

test('fails a search if the server stops, and keeps the form', async ({ page }) => {
  const { dataDir, remove } = await marketFolder();
  const skylark = await startSkylark(dataDir, { SAMPLE_INVENTORY: 'off' });
  await page.goto(skylark.url);
  await expect(destinationField(page)).toBeEnabled();
  await pick(page, destinationField(page), 'Benidorm', /^Benidorm/);
  await pick(page, airportField(page), 'Gatwick', /Gatwick/);
  skylark.process.kill('SIGSTOP');
  await searchButton(page).click();
  await expect(page.getByRole('button', { name: 'Searching...' })).toBeDisabled();
  skylark.process.kill('SIGKILL');
  await expect(page.getByText(FAILED)).toBeVisible();
  const port = new URL(skylark.url).port;
  const again = await startSkylark(dataDir, { SAMPLE_INVENTORY: 'off', PORT: port });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(`Showing 1 to 10 of ${BENIDORM_HOTELS} results`)).toBeVisible();
  await expect(destinationField(page)).toHaveValue('Benidorm, Costa Blanca, Spain');
  await again.stop();
  await remove();
});
