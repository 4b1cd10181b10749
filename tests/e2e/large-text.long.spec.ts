import type { Page } from '@playwright/test';
import { findBrowser } from '../../scripts/browser.ts';
import { fillWithData } from '../fixtures/full-data.ts';
import { PAGE_STATES } from '../fixtures/page-states.ts';
import { expectNoLayoutFaults } from './support/layout.ts';
import { expect, test } from './support/skylark.ts';

/*
 * Tests what the accessibility statement says: every state is readable at 320 pixels with the browser's
 * letters at 200%.
 */

const executablePath = findBrowser();
test.use({
  viewport: { width: 320, height: 800 },
  hasTouch: true,
  launchOptions: {
    ...(executablePath === null ? {} : { executablePath }),
    args: ['--no-sandbox', '--blink-settings=defaultFontSize=32'],
  },
});

/**
 * Selects, dates and placeholders that are wider than their control. Other text may scroll while it is typed.
 */
function clippedControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d');
    const textOf = (control: Element) => {
      if (control instanceof HTMLSelectElement) return control.selectedOptions[0]?.text ?? '';
      if (!(control instanceof HTMLInputElement)) return '';
      return control.readOnly ? control.value : control.placeholder;
    };
    return [...document.querySelectorAll<HTMLElement>('select, input:not(.beside-chip)')].flatMap(
      (control) => {
        if (!control.checkVisibility({ visibilityProperty: true })) return [];
        const isPlaceholder = control.matches(':placeholder-shown:not([readonly])');
        const isTyped = control instanceof HTMLInputElement && !control.readOnly && !isPlaceholder;
        const text = isTyped ? '' : textOf(control);
        const { paddingLeft, paddingRight } = getComputedStyle(control);
        if (pen !== null) {
          pen.font = getComputedStyle(control, isPlaceholder ? '::placeholder' : null).font;
        }
        const width = pen?.measureText(text).width ?? 0;
        const room = control.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
        return width > room + 1 ? [`${text}: ${Math.round(width)} in ${Math.round(room)}`] : [];
      },
    );
  });
}

for (const { name, open } of PAGE_STATES) {
  test(`is readable at 320 pixels with letters of 200%: ${name}`, async ({ page }, testInfo) => {
    test.setTimeout(90_000);
    await fillWithData(page);
    await open(page);
    await page.screenshot({ path: testInfo.outputPath('320.png'), fullPage: true });
    await expectNoLayoutFaults(page, name);
    expect(await clippedControls(page)).toEqual([]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
}

test('the plot of prices cuts off no price at 1440 pixels with letters of 200%', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await fillWithData(page);
  await PAGE_STATES.find(({ name }) => name === 'price-history')?.open(page);
  const words = page.locator('.price-plot text');
  await expect(words.first()).toBeVisible();
  const cut = await words.evaluateAll((all) =>
    all
      .filter((one) => one instanceof SVGGraphicsElement && one.getBBox().x < 0)
      .map((one) => one.textContent),
  );
  expect(cut).toEqual([]);
});
