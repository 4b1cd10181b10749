import { test as base } from '@playwright/test';

/** Errors of route handlers that still run when their test ends do not fail the test run. */
export const test = base.extend<{ endedRoutes: undefined }>({
  endedRoutes: [
    async ({ context }, use) => {
      await use(undefined);
      for (const routed of [context, ...context.pages()])
        await routed.unrouteAll({ behavior: 'ignoreErrors' });
    },
    { auto: true },
  ],
});
