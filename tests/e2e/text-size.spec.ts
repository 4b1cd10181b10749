import type { Page } from '@playwright/test';
import { fillWithData } from '../fixtures/full-data.ts';
import { resultsUrl } from './support/another-search.ts';
import { cards, results } from './support/journeys.ts';
import { expectNoLayoutFaults } from './support/layout.ts';
import { expect, test } from './support/skylark.ts';

/* Results on a phone at text sizes of 100 to 200%, set as Chrome's font size or as the root's. */

const PHONES = [
  { width: 320, height: 568 },
  { width: 360, height: 640 },
  { width: 390, height: 844 },
];

const SCALES = [1, 1.15, 1.3, 1.5, 1.75, 2];

/** Opens the results with Chrome's font size at `scale`. */
async function openAt(page: Page, scale: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: Math.round(16 * scale) } });
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  await expect(results(page).locator('.price-analysis').first()).toContainText(/\S/);
}

const setRoot = (page: Page, scale: number) =>
  page.evaluate(
    (size) => {
      document.documentElement.style.fontSize = size;
    },
    `${100 * scale}%`,
  );

function measure(page: Page) {
  return page.evaluate(() => {
    for (const item of document.querySelectorAll<HTMLElement>('.results-list > li')) {
      item.style.contentVisibility = 'visible';
    }
    const heightOf = (element: Element) => element.getBoundingClientRect().height;
    return {
      lines: [...document.querySelectorAll('.holiday-price strong')].map((price) => {
        const range = document.createRange();
        range.selectNodeContents(price);
        return range.getClientRects().length;
      }),
      card: Math.max(...[...document.querySelectorAll('.holiday-card')].map(heightOf)),
      bar: Math.max(...[...document.querySelectorAll('.results-bar')].map(heightOf)),
    };
  });
}

for (const viewport of PHONES) {
  test.describe(() => {
    test.use({ viewport, hasTouch: true });

    test(`keeps prices on one line, cards short and the bar low at ${viewport.width} pixels`, async ({
      page,
    }) => {
      let normal = Number.POSITIVE_INFINITY;
      const expectFit = async (where: string) => {
        const { lines, card, bar } = await measure(page);
        normal = Math.min(normal, card);
        expect(new Set(lines), where).toEqual(new Set([1]));
        expect(card, where).toBeLessThanOrEqual(3.25 * normal);
        expect(bar, where).toBeLessThanOrEqual(viewport.height / 4);
      };
      for (const scale of SCALES) {
        await openAt(page, scale);
        await expectFit(`Chrome’s font size at ${scale}`);
      }
      await openAt(page, 1);
      for (const scale of SCALES) {
        await setRoot(page, scale);
        await expectFit(`the root’s font size at ${scale}`);
      }
    });

    test(`lays out the longest names and prices without faults at ${viewport.width} pixels`, async ({
      page,
    }) => {
      await fillWithData(page);
      await openAt(page, 1);
      for (const scale of SCALES) {
        await setRoot(page, scale);
        expect(new Set((await measure(page)).lines)).toEqual(new Set([1]));
        await expectNoLayoutFaults(page, `${scale}`);
      }
    });
  });
}
