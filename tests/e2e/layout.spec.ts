import type { Page } from '@playwright/test';
import { changedItem, openItems } from './support/another-search.ts';
import { expect, test } from './support/another-server.ts';
import { airportField, cards, destinationField, editSearch, search } from './support/journeys.ts';
import { boxesOf, expectNoLayoutFaults, overlap } from './support/layout.ts';

const WIDTHS = [320, 375, 560, 768, 900, 1024, 1200, 1440, 2560];

const LLANFAIR = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch';
const ITEMS = [
  changedItem(1, { TotalPrice: 412 }),
  changedItem(2, {
    TotalPrice: 18_764.5,
    HolidayResort: LLANFAIR,
    HolidayRegion: 'Ynys Môn',
    BoardBasis: 'Frühstück mit Sondervereinbarung auf Voranmeldung',
    hotel: {
      HotelName: `Grand Hotel Donaudampfschifffahrtsgesellschaftskapitän am See ${LLANFAIR}`,
      StarRating: 4.5,
    },
    flight: { AirlineName_Outbound: 'Oberbayerische Luftverkehrsgesellschaft' },
  }),
  changedItem(3, { TotalPrice: 1_111, hotel: { HotelName: 'Bryn y Môr' } }),
];

/** Doubles the size of letters, as a browser setting does. */
async function doubleLetters(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
}

test('clips and overlaps nothing at any width, does not scroll sideways, and aligns prices', async ({
  page,
  mock,
}) => {
  await openItems(page, mock, ITEMS);
  await expect(cards(page)).toHaveCount(ITEMS.length);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoLayoutFaults(page, `results, ${width} wide`);
    const prices = await boxesOf(page.locator('.holiday-price strong'));
    const ends = prices.map(({ x, width: across }) => Math.round(width > 820 ? x + across : x));
    expect(new Set(ends).size, `prices line up, ${width} wide`).toBe(1);
    for (const button of await boxesOf(page.getByRole('button', { name: /^Set up price alerts/ }))) {
      if (width >= 375) expect(button.height, `one line on the button, ${width} wide`).toBeLessThan(56);
    }
  }
  await page.goto('/');
  await expect(page.getByLabel('When')).not.toHaveValue('');
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoLayoutFaults(page, `first page, ${width} wide`);
    const fields = await boxesOf(page.locator('.field-frame, .search-button'));
    for (const [index, one] of fields.entries()) {
      for (const other of fields.slice(index + 1)) expect(overlap(one, other), `${width} wide`).toBe(false);
    }
  }
});

test('loses nothing with letters of twice the size, on a desktop and on a phone', async ({ page, mock }) => {
  await openItems(page, mock, ITEMS);
  await doubleLetters(page);
  for (const width of [1440, 1280, 768, 375]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoLayoutFaults(page, `results, ${width} wide`);
    for (const label of ['When', 'How long']) {
      const { needed, given } = await page.getByLabel(label).evaluate((field) => ({
        needed: field.scrollWidth,
        given: field.clientWidth,
      }));
      expect(needed, `${label}, ${width} wide`).toBeLessThanOrEqual(given + 1);
    }
  }
  await page.goto('/');
  await expect(page.getByLabel('When')).not.toHaveValue('');
  await doubleLetters(page);
  for (const width of [1440, 375]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoLayoutFaults(page, `first page, ${width} wide`);
  }
});

test('has short cards on a phone, with touch targets that are large enough', async ({ page, mock }) => {
  const item = changedItem(1, { TotalPrice: 1_214, hotel: { HotelName: 'Palazzo Azzurra Mellieha' } });
  await openItems(page, mock, [item, item]);
  for (const width of [360, 375, 414]) {
    await page.setViewportSize({ width, height: 800 });
    for (const { height } of await boxesOf(cards(page)))
      expect(height, `${width} wide`).toBeLessThanOrEqual(340);
    const pressed = cards(page).first().locator('a, button');
    for (const { height } of await boxesOf(pressed)) {
      expect(height, `${width} wide`).toBeGreaterThanOrEqual(44);
    }
  }
});

for (const [what, viewport] of [
  ['a phone on its side', { width: 667, height: 375 }],
  ['a desk at 400%', { width: 320, height: 256 }],
] as const) {
  test(`a search can be made on ${what}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.goto('/');
    await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
    await expect(cards(page)).toHaveCount(10);
    await expectNoLayoutFaults(page, 'the page');
    await editSearch(page);
    await page.getByLabel('When').click();
    const day = page.getByRole('dialog').getByRole('gridcell', { selected: true });
    await day.scrollIntoViewIfNeeded();
    await expect(day).toBeInViewport();
    await page.keyboard.press('Escape');
    await cards(page)
      .first()
      .getByRole('button', { name: /^Set up price alerts/ })
      .click();
    const close = page.getByRole('dialog', { name: 'Watch this' }).getByRole('button', { name: 'Close' });
    await close.scrollIntoViewIfNeeded();
    await close.click();
    await expect(close).toBeHidden();
  });
}

test('keeps lists and the calendar inside the window and above the page', async ({ page }) => {
  await page.goto('/');
  for (const width of [320, 375, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const open of [
      () => destinationField(page).click(),
      () => airportField(page).click(),
      () => page.getByLabel('When').click(),
    ]) {
      await open();
      const popup = page.locator('.list-popup:not([hidden]), .date-popup').last();
      await expect(popup).toBeVisible();
      await expect(popup.locator('[role="option"], [role="gridcell"]').first()).toBeVisible();
      const [box] = await boxesOf(popup);
      expect(box?.x, `${width} wide`).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0), `${width} wide`).toBeLessThanOrEqual(width);
      const isOnTop = await popup.evaluate((element) => {
        const { x, y, width: across } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(x + across / 2, y + 30));
      });
      expect(isOnTop, `${width} wide`).toBe(true);
      await page.keyboard.press('Escape');
    }
  }
});

test('prints the packages with their prices and links, without controls', async ({ page, mock }) => {
  await openItems(page, mock, ITEMS);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.setViewportSize({ width: 720, height: 1_000 });
  await expect(page.getByText('£412')).toBeVisible();
  await expect(destinationField(page)).toBeHidden();
  await expect(page.getByRole('button')).toHaveCount(0);
  const visit = cards(page).first().getByRole('link');
  const href = await visit.getAttribute('href');
  expect(await visit.evaluate((link) => getComputedStyle(link, '::after').content)).toContain(href ?? '?');
  const ink = await cards(page)
    .first()
    .evaluate((card) => getComputedStyle(card).color);
  expect(ink, 'dark words on white paper, whatever the scheme').toBe('rgb(23, 48, 59)');
  await expectNoLayoutFaults(page, 'the page');
});
