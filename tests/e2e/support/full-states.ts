import type { CDPSession, Page } from '@playwright/test';
import { fillWithData } from '../../fixtures/full-data.ts';
import type { PageState } from '../../fixtures/page-states.ts';
import { cards } from './journeys.ts';
import { expectNoLayoutFaults } from './layout.ts';
import { expect } from './skylark.ts';

const PHONE = 600;

/** Opens a state on a phone, with the longest data in every part. */
export async function openFullState(page: Page, { open }: PageState): Promise<void> {
  await fillWithData(page);
  await page.setViewportSize({ width: 375, height: 800 });
  await open(page);
  if ((await cards(page).count()) === 0) return;
  if ((await page.locator('html[data-price-analysis-awaited]').count()) === 0) return;
  const isFiltered = (await page.getByRole('list', { name: 'Active filters' }).count()) > 0;
  await expect(page.locator('.cheapest-dates ul > li')).toHaveCount(isFiltered ? 0 : 7);
}

/** Expects the page to fit screens of these widths. On phone widths, also pans by touch. */
export async function expectToFit(page: Page, widths: readonly number[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoLayoutFaults(page, `${width} wide`);
    await expect.poll(() => openPartsOutside(page), `${width} wide`).toEqual([]);
    if (width <= PHONE) expect(await panSideways(page, devtools, width), `panned, ${width} wide`).toBe(0);
  }
  await devtools.detach();
}

/** As `expectToFit`, with letters at 150%. */
export async function expectLargeTextToFit(page: Page, widths: readonly number[]): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '150%';
  });
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoLayoutFaults(page, `large text, ${width} wide`);
    await expect.poll(() => openPartsOutside(page), `large text, ${width} wide`).toEqual([]);
  }
}

/** Open dialogs and lists that extend beyond the screen, or whose contents extend beyond them. */
function openPartsOutside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const parts = document.querySelectorAll('dialog[open], .date-popup, .list-popup:not([hidden])');
    return [...parts].flatMap((part) => {
      const box = part.getBoundingClientRect();
      const outside = [];
      const name = `<${part.localName} class="${part.className}">`;
      if (box.left < -1 || box.right > width + 1) outside.push(`${name} from ${box.left} to ${box.right}`);
      for (const inner of part.querySelectorAll('*')) {
        const { left, right, width: across } = inner.getBoundingClientRect();
        const isHeard = inner.closest('.visually-hidden') !== null || across === 0;
        if (!isHeard && (left < box.left - 1 || right > box.right + 1)) {
          outside.push(`in ${name}: <${inner.localName} class="${inner.getAttribute('class')}"> to ${right}`);
        }
      }
      return outside;
    });
  });
}

/** The horizontal scroll position after a touch pan to the left. It should be 0. */
async function panSideways(page: Page, devtools: CDPSession, width: number): Promise<number> {
  await devtools.send('Input.synthesizeScrollGesture', {
    x: width - 20,
    y: 20,
    xDistance: 40 - width,
    yDistance: 0,
    speed: 4_000,
    gestureSourceType: 'touch',
  });
  return page.evaluate(() => Math.max(scrollX, visualViewport?.pageLeft ?? 0));
}
