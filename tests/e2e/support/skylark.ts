import { expect } from '@playwright/test';
import { marketFolder, type RunningSkylark, startSkylark } from '../../fixtures/running-skylark.ts';
import { test as base } from './ended-routes.ts';

export { expect };

/** All tests of a worker share one server with the small market. `baseURL` is its URL. */
export const test = base.extend<object, { skylark: RunningSkylark }>({
  skylark: [
    async ({ browserName }, use) => {
      expect(browserName).toBe('chromium');
      const { dataDir, remove } = await marketFolder();
      // Alerts would otherwise wait at night.
      const skylark = await startSkylark(dataDir, { SAMPLE_INVENTORY: 'off', ALERT_QUIET_HOURS: 'none' });
      await use(skylark);
      await skylark.stop();
      await remove();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ skylark }, use) => {
    await use(skylark.url);
  },
});
