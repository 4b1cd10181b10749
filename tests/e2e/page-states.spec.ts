import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { PAGE_STATES } from '../fixtures/page-states.ts';
import { expectLargeTextToFit, expectToFit, openFullState } from './support/full-states.ts';
import { expect, test } from './support/skylark.ts';

/*
 * Opens each state once, to check its layout and its accessibility. `page-states.long.spec.ts` checks further
 * widths.
 */

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

test.use({ hasTouch: true, isMobile: true });

/** The violations that axe finds, one per line, for readable failures. */
async function findings(page: Page): Promise<string[]> {
  // The page has no frames, so axe need not open a second page.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .withTags(RULES)
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}

for (const state of PAGE_STATES) {
  test(`fits four screen widths, and axe finds nothing in light and dark: ${state.name}`, async ({
    page,
  }) => {
    await openFullState(page, state);
    await expectToFit(page, [320, 375, 768, 1440]);
    expect(await findings(page), '1440 wide, light').toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await findings(page), '320 wide, dark').toEqual([]);
    await expectLargeTextToFit(page, [375]);
  });
}
