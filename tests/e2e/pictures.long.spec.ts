import type { Locator, Page } from '@playwright/test';
import { addDays } from '../../domain/calendar-date.ts';
import { type SpecItem, specItem } from '../mock-server/spec-items.ts';
import { openItems, resultsUrl } from './support/another-search.ts';
import { expect, test } from './support/another-server.ts';
import { cards } from './support/journeys.ts';

// Screenshots of the most important parts, to detect unintended visual changes. Other tests check the rules.
// CONTRIBUTING.md explains how to update a picture.

/**
 * Noon in London on a Wednesday without a clock change nearby. Fixed, so that pictures do not depend on the
 * date.
 */
const NOW = '2027-03-10T12:00:00Z';
const DAY = addDays('2027-03-10', 94);

interface Look {
  width: number;
  height: number;
  scheme: 'light' | 'dark';
}

async function look(page: Page, { width, height, scheme }: Look): Promise<void> {
  await page.clock.setFixedTime(NOW);
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
}

/** Waits for fonts and images, and moves the pointer away. */
async function settled(page: Page, part: Locator): Promise<Locator> {
  await expect(part).toBeVisible();
  await page.mouse.move(0, 0);
  await part.scrollIntoViewIfNeeded();
  await page.evaluate(async () => {
    await document.fonts.ready;
    if (![...document.fonts].some(({ family, status }) => family === 'Figtree' && status === 'loaded')) {
      throw new Error('The typeface has not loaded.');
    }
  });
  await part.evaluate((element) =>
    Promise.all([...element.querySelectorAll('img')].map((image) => image.decode())),
  );
  return part;
}

/** A package with every detail that a card can show, on a separate day. */
function item(): SpecItem {
  return specItem(1, DAY, { name: 'Hotel Miramar', price: 1234, stars: 4.5, departs: '07:05' });
}

async function openCard(page: Page, mock: Parameters<typeof openItems>[1]): Promise<Locator> {
  await openItems(page, mock, [item()], { date: DAY });
  return settled(page, cards(page).first());
}

const form = (page: Page) => page.getByRole('search');

test('a card on a wide screen', async ({ page, mock }) => {
  await look(page, { width: 1440, height: 1000, scheme: 'light' });
  await expect(await openCard(page, mock)).toHaveScreenshot('card-1440-light.png');
});

test('a card on a phone, in dark colours', async ({ page, mock }) => {
  await look(page, { width: 375, height: 1400, scheme: 'dark' });
  await expect(await openCard(page, mock)).toHaveScreenshot('card-375-dark.png');
});

test('the search form on the front page of a phone', async ({ page }) => {
  await look(page, { width: 375, height: 1000, scheme: 'light' });
  await page.goto('/');
  await expect(page.getByLabel('When')).toHaveValue('11/03/2027');
  await expect(await settled(page, form(page))).toHaveScreenshot('form-375-light.png');
});

test('the search form above results, with an airport selected', async ({ page, mock }) => {
  await look(page, { width: 1440, height: 1000, scheme: 'light' });
  mock.script.search = () => ({ items: [item()] });
  await page.goto(resultsUrl({ date: DAY }));
  await cards(page).first().waitFor();
  await expect(await settled(page, form(page))).toHaveScreenshot('form-1440-light.png');
});

test('the price alert on a tablet', async ({ page, mock }) => {
  await look(page, { width: 768, height: 1000, scheme: 'light' });
  const card = await openCard(page, mock);
  await card.getByRole('button', { name: /Set up price alerts/ }).click();
  const modal = page.getByRole('dialog', { name: 'Watch this' });
  await expect(await settled(page, modal)).toHaveScreenshot('alert-768-light.png');
});

test('the calendar on a phone, in dark colours', async ({ page }) => {
  await look(page, { width: 375, height: 1000, scheme: 'dark' });
  await page.goto('/');
  await page.getByLabel('When').click();
  const calendar = page.getByRole('dialog', { name: 'Choose a departure date' });
  await expect(await settled(page, calendar)).toHaveScreenshot('calendar-375-dark.png');
});
