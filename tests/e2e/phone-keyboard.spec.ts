import AxeBuilder from '@axe-core/playwright';
import { resultsUrl } from './support/another-search.ts';
import { airportField, cards, destinationField } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

/* A phone whose keyboard leaves 390 by 350 pixels, and its touch targets. */

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

const WITH_KEYBOARD = { width: 390, height: 350 };

test('leaves at least three suggestions in view above the keyboard', async ({ page }) => {
  await page.goto('/');
  for (const [field, text] of [
    [destinationField(page), 'cos'],
    [airportField(page), 'lon'],
  ] as const) {
    await field.click();
    await page.setViewportSize(WITH_KEYBOARD);
    await field.fill(text);
    for (const nth of [0, 1, 2]) {
      await expect(page.getByRole('option').nth(nth)).toBeInViewport({ ratio: 0.9 });
    }
    await field.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
  }
});

test('keeps the button of the alert form in view above the keyboard, and drags inside the dialog', async ({
  page,
}) => {
  await page.goto(resultsUrl());
  await cards(page)
    .first()
    .getByRole('button', { name: /^Set up price alerts/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Watch this' });
  await page.setViewportSize(WITH_KEYBOARD);
  await dialog.getByLabel('Your phone number').click();
  await expect(dialog.getByRole('button', { name: 'Track with WhatsApp' })).toBeInViewport({ ratio: 1 });
  const before = await page.evaluate(() => scrollY);
  await dialog.hover();
  for (let turns = 0; turns < 5; turns += 1) await page.mouse.wheel(0, 600);
  await expect.poll(() => dialog.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
  expect(await dialog.evaluate((each) => getComputedStyle(each).overscrollBehaviorY)).toBe('contain');
  expect(await page.evaluate(() => scrollY)).toBe(before);
});

test('has touch targets on results that pass axe', async ({ page }) => {
  for (const width of [320, 375]) {
    await page.setViewportSize({ width, height: 740 });
    // With charges at the hotel, and other rooms and boards.
    for (const more of [{}, { flex: '3' }]) {
      await page.goto(resultsUrl(more));
      await expect(cards(page)).toHaveCount(10);
      const { violations } = await new AxeBuilder({ page }).withRules(['target-size']).analyze();
      expect(violations).toEqual([]);
    }
  }
});
