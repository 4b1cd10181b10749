import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { PAGE_STATES } from '../fixtures/page-states.ts';
import { expect, test } from './support/skylark.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const NARROW = { width: 320, height: 700 };

/** Running all rules twice on a whole page is slow on a busy machine. */
test.describe.configure({ timeout: 90_000 });

/** The violations that axe finds, one line each, for readable failures. */
async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .withTags(RULES)
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}

for (const { name, open } of PAGE_STATES) {
  test(`axe finds nothing, wide in light and narrow in dark: ${name}`, async ({ page }) => {
    await open(page);
    expect(await findings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.setViewportSize(NARROW);
    expect(await findings(page)).toEqual([]);
  });
}
