import type { Page } from '@playwright/test';
import { addDays } from '../../domain/calendar-date.ts';
import { formatShortDate } from '../../domain/day-words.ts';
import { TODAY } from '../fixtures/market.ts';
import { cards, destinationField } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

/** The accessible name of the focused element, and whether its focus is visible. */
async function focused(
  page: Page,
): Promise<{ name: string; ringed: boolean; inView: boolean; bare: boolean }> {
  // The host of a shadow tree has the focus, too.
  const element = page.locator(':focus').last();
  const seen = await element.evaluate((focus) => {
    const ring = (each: Element | null) => {
      if (each === null) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(each);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    };
    const box = focus.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const top = (focus.getRootNode() as Document | ShadowRoot).elementFromPoint(x, y);
    return {
      ringed: ring(focus) || ring(focus.closest('.field-frame')),
      inView: x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight,
      bare: top !== null && (focus.contains(top) || top.contains(focus)),
    };
  });
  return { name: await element.ariaSnapshot(), ...seen };
}

/** Presses Tab until the element with this name has focus. The focus must be visible at each step. */
async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press(key);
    const stop = await focused(page);
    expect(stop, `the focus is visible on ${stop.name}`).toMatchObject({
      ringed: true,
      inView: true,
      bare: true,
    });
    if (stop.name.includes(`"${name}`)) return;
  }
  throw new Error(`${key} never reached ${name}`);
}

test('supports search, sort, paging, alerts and Back by keyboard alone', async ({ page }) => {
  await page.route('**/intents', (route) => route.fulfill({ status: 200, json: {} }));
  const said = (words: string | RegExp) => page.getByRole('status').filter({ hasText: words }).first();
  const headline = (words: RegExp) => page.getByRole('heading', { name: words });
  await page.goto('/');
  await expect(page.getByLabel('When')).not.toHaveValue('');

  await tabTo(page, 'Destination');
  await page.keyboard.type('benid');
  await expect(said(/^1 destination/)).toBeAttached();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(destinationField(page)).toHaveValue('Benidorm, Costa Blanca, Spain');

  await tabTo(page, 'Departure airport');
  await page.keyboard.type('lgw');
  await expect(said(/airport/)).toBeAttached();
  await page.keyboard.press('Enter');
  await expect(page.getByText('London Gatwick', { exact: true })).toBeVisible();

  await tabTo(page, 'When');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Choose a departure date' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('When')).toBeFocused();
  await expect(page.getByLabel('When')).toHaveValue(formatShortDate(addDays(TODAY, 2)));

  await tabTo(page, 'How long');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByLabel('How long')).toHaveValue('10');
  await tabTo(page, 'Search');
  await page.keyboard.press('Enter');

  await expect(headline(/^Showing 1 to 10 of/)).toBeFocused();
  await expect(said(/^Showing 1 to 10 of/)).toBeAttached();
  await tabTo(page, 'Sort by');
  await page.keyboard.press('End');
  await expect(said(/Order: Biggest price drop/)).toBeAttached();
  await expect(page.getByLabel('Sort by')).toBeFocused();

  await tabTo(page, 'Visit site');
  await tabTo(page, 'Set up price alerts');
  await page.keyboard.press('Enter');
  const modal = page.getByRole('dialog', { name: 'Watch this' });
  await expect(modal).toBeVisible();
  await tabTo(page, 'Your phone number');
  await page.keyboard.type('12345');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Please enter a valid UK phone number');
  await expect(modal.getByLabel('Your phone number')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('07700 900123');
  await page.keyboard.press('Enter');
  await expect(said(/^Keep an eye on your WhatsApp/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(modal).toBeHidden();
  const alertsButton = cards(page)
    .first()
    .getByRole('button', { name: /^Set up price alerts/ });
  await expect(alertsButton).toBeFocused();

  await tabTo(page, 'Next');
  await page.keyboard.press('Enter');
  await expect(headline(/^Showing 11 to 20 of/)).toBeFocused();
  await expect(said(/^Showing 11 to 20 of/)).toBeAttached();
  await page.goBack();
  await expect(headline(/^Showing 1 to 10 of/)).toBeVisible();
});

test('announces a failed search immediately, and focuses the next step', async ({ page }) => {
  await page.route('**/graphql', (route) => route.fulfill({ status: 500, body: 'no' }));
  await page.goto('/');
  await tabTo(page, 'Destination');
  await page.keyboard.type('benid');
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await tabTo(page, 'Departure airport');
  await page.keyboard.type('lgw');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Search');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to search holidays.' })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'API Error: 500 - no' })).toBeVisible();
  const again = page.getByRole('button', { name: 'Try again' });
  await expect(again).toBeFocused();
  const repeated = page.waitForResponse('**/graphql');
  await page.keyboard.press('Enter');
  await repeated;
  await expect(again).toBeFocused();
  await tabTo(page, 'Change the search');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Destination');
  await expect(destinationField(page)).toHaveValue('Benidorm, Costa Blanca, Spain');
});
