import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { contrast } from '../../domain/contrast.ts';
import { PAGE_STATES } from '../fixtures/page-states.ts';
import { cards } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

async function openState(page: Page, name: string): Promise<void> {
  const state = PAGE_STATES.find((each) => each.name === name);
  if (state === undefined) throw new Error(`There is no state ${name}`);
  await state.open(page);
}

const WORDS = ['ink', 'ink-soft', 'action', 'sun', 'bad', 'good'];
const GROUNDS = ['paper', 'ground', 'raised', 'sunken'];
const PAIRS = [
  ...WORDS.flatMap((word) => GROUNDS.map((ground) => [word, ground, 4.5] as const)),
  ['ink', 'sky-high', 4.5],
  ['action', 'sky-high', 4.5],
  ['on-action', 'action', 4.5],
  ['action-strong', 'action-wash', 4.5],
  ['bad', 'bad-wash', 4.5],
  ['good', 'good-wash', 4.5],
  ['sun', 'sun-wash', 4.5],
  ['line-strong', 'paper', 3],
  ['line-strong', 'raised', 3],
] as const;

for (const colorScheme of ['light', 'dark'] as const) {
  test(`has enough contrast for text and edges, in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto('/');
    const colours = await page.evaluate(
      (names) => {
        const probe = document.body.appendChild(document.createElement('i'));
        const read = (name: string) => {
          probe.style.color = `var(--${name})`;
          const parts = getComputedStyle(probe).color.match(/\d+/g) ?? [];
          return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
        };
        return Object.fromEntries(names.map((name) => [name, read(name)]));
      },
      [...new Set(PAIRS.flatMap(([one, other]) => [one as string, other]))],
    );
    for (const [one, other, least] of PAIRS) {
      const ratio = contrast(colours[one] ?? '', colours[other] ?? '');
      expect(ratio, `${one} on ${other}`).toBeGreaterThanOrEqual(least);
    }
    // The front page's text may also be over the rings of the sun in the picture.
    const [light = '', dark = ''] = readFileSync('web/brand/assistant.svg', 'utf8').split('@media');
    for (const part of ['r1', 'r2', 'r3']) {
      const style = colorScheme === 'dark' ? dark : light;
      const fill = new RegExp(`\\.${part}\\{fill:(#\\w{6})\\}`).exec(style)?.[1] ?? '';
      for (const word of ['ink', 'action']) {
        const ratio = contrast(colours[word] ?? '', fill);
        expect(ratio, `${word} on the picture's ${part}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });
}

for (const width of [375, 1440]) {
  test(`has no layout shift while results, typeface and price analysis load, ${width} wide`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.addInitScript(() => {
      Reflect.set(window, 'shifts', 0);
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          if (Reflect.get(entry, 'hadRecentInput') === true) continue;
          const shifts = Number(Reflect.get(window, 'shifts')) + Number(Reflect.get(entry, 'value'));
          Reflect.set(window, 'shifts', shifts);
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    await page.route('**/*.woff2', async (route) => {
      await later(700);
      await route.continue();
    });
    await page.route('**/graphql', async (route) => {
      await later(900);
      await route.continue();
    });
    await openState(page, 'results');
    await expect(page.getByRole('group', { name: /^Price analysis/ }).first()).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    expect(await page.evaluate(() => Number(Reflect.get(window, 'shifts')))).toBeLessThan(0.02);
  });
}

test('distinguishes selected, active and focused elements with forced colours', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await openState(page, 'airports-held');
  const chip = page.locator('.chip');
  expect(await chip.evaluate((element) => getComputedStyle(element).borderTopStyle)).toBe('solid');
  const frame = page.locator('.field-frame:has(:focus-visible)');
  expect(await frame.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid');
  await page.keyboard.press('ArrowDown');
  const active = page.locator('.list-popup [aria-selected="true"]');
  expect(await active.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid');
  await page.keyboard.press('Escape');
  await page.getByLabel('When').click();
  await expect(page.getByRole('gridcell', { selected: true })).toBeVisible();
  const grounds = await page
    .getByRole('dialog')
    .locator('[role="gridcell"] button')
    .evaluateAll((days) => days.map((day) => getComputedStyle(day).backgroundColor));
  const chosen = grounds.filter((ground) => grounds.filter((other) => other === ground).length === 1);
  expect(chosen, 'one day differs from all others').toHaveLength(1);
});

test('marks the lowest price in plot and key with the same system colour, with forced colours', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await openState(page, 'price-history');
  const dialog = page.getByRole('dialog', { name: 'Price history' });
  const [dot, mark, ground] = await Promise.all([
    dialog.locator('.key-lowest').evaluate((element) => getComputedStyle(element).backgroundColor),
    dialog.locator('.plot-lowest').evaluate((element) => getComputedStyle(element).fill),
    dialog.evaluate((element) => getComputedStyle(element).backgroundColor),
  ]);
  expect(dot).toBe(mark);
  expect(dot).not.toBe(ground);
});

test('animates nothing if the visitor prefers reduced motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openState(page, 'loading');
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  await page.unroute('**/graphql');
  await page.reload();
  await expect(cards(page).first()).toBeVisible();
  const lasts = await page
    .getByRole('link', { name: /^Visit site/ })
    .first()
    .evaluate((link) => getComputedStyle(link).transitionDuration);
  expect(lasts.split(', ').every((each) => each === '0s')).toBe(true);
});
