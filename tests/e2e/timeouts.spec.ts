import type { Page } from '@playwright/test';
import { expect, test } from './support/another-server.ts';
import { airportField, cards, destinationField, pick, search, searchButton } from './support/journeys.ts';

/** Never responds, and never closes the connection. */
const HANGS = () => {};

/** Shortens request timeouts to a twentieth, or restores them, also after reloading. */
async function setShortTimeouts(page: Page, isShort: boolean): Promise<void> {
  await page.addInitScript(shortenTimeouts, isShort);
  await page.evaluate(shortenTimeouts, isShort);
}

function shortenTimeouts(isShort: boolean): void {
  const shared = globalThis as { fullTimeout?: typeof AbortSignal.timeout };
  shared.fullTimeout ??= AbortSignal.timeout.bind(AbortSignal);
  const { fullTimeout } = shared;
  AbortSignal.timeout = (ms) => fullTimeout(isShort ? ms / 20 : ms);
}

test('reports a configuration that does not load in time, and can retry', async ({ page }) => {
  await page.route('**/config.json', HANGS);
  await page.goto('/');
  await expect(page.getByRole('alert')).toContainText('couldn’t load this page’s settings');
  await page.unroute('**/config.json');
  await page.getByRole('button', { name: 'Try again' }).click();
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await expect(cards(page)).toHaveCount(10);
});

test('reports lists that do not load, and can retry', async ({ page, mock }) => {
  await setShortTimeouts(page, true);
  mock.script.places = 'no answer';
  mock.script.airports = 'no answer';
  await page.goto('/');
  const troubles = page.getByRole('alert');
  await expect(troubles.filter({ hasText: 'We couldn’t load the destinations.' })).toBeVisible();
  await expect(troubles.filter({ hasText: 'We couldn’t load the departure airports.' })).toBeVisible();
  mock.reset();
  await setShortTimeouts(page, false);
  await troubles.first().getByRole('button', { name: 'Try again' }).click();
  await expect(troubles).toHaveCount(0);
  await pick(page, destinationField(page), 'Benidorm', /^Benidorm/);
  await pick(page, airportField(page), 'LGW', /^Gatwick/);
  await expect(searchButton(page)).toBeEnabled();
});

test('fails a sign-up without a response, and keeps the number editable', async ({ page, mock }) => {
  mock.script.signUp = 'no answer';
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await setShortTimeouts(page, true);
  await page
    .getByRole('button', { name: /^Set up price alerts/ })
    .first()
    .click();
  const phone = page.getByLabel('Your phone number');
  await phone.fill('07700 900123');
  await page.getByRole('button', { name: 'Track with WhatsApp' }).click();
  await expect(page.getByRole('alert')).toHaveText('Something went wrong. Please try again.');
  await expect(phone).toBeEditable();
  await expect(phone).toHaveValue('07700 900123');
  mock.reset();
  await setShortTimeouts(page, false);
  await page.getByRole('button', { name: 'Track with WhatsApp' }).click();
  await expect(page.getByRole('button', { name: 'Submitted' })).toBeVisible();
  expect(mock.signUps).toHaveLength(1);
});

test('fails the search if its code does not load', async ({ page }) => {
  await page.clock.install();
  await page.route('**/LoadedResults-*.js', HANGS);
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await expect(page.getByText('Searching...')).toBeVisible();
  await page.clock.fastForward(30_000);
  await expect(page.getByText('Failed to search holidays. Please try again.')).toBeVisible();
});
