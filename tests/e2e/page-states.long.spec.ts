import { PAGE_STATES } from '../fixtures/page-states.ts';
import { expectLargeTextToFit, expectToFit, openFullState } from './support/full-states.ts';
import { test } from './support/skylark.ts';

test.use({ hasTouch: true, isMobile: true });

for (const state of PAGE_STATES) {
  test(`fits further screen widths: ${state.name}`, async ({ page }) => {
    await openFullState(page, state);
    await expectToFit(page, [360, 414, 600, 1024, 1200, 2560]);
    await expectLargeTextToFit(page, [768, 1440]);
  });
}
