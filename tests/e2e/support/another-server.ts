import { expect } from '@playwright/test';
import { type MockServer, startMockServer } from '../../mock-server/mock-server.ts';
import { test as base } from './ended-routes.ts';
import { type StaticHost, startStaticHost } from './static-host.ts';

export { expect };

export const BUILT_PAGE = 'dist/web';

interface AnotherServer {
  mock: MockServer;
  host: StaticHost;
}

/**
 * The built page as static files on a separate host, whose `/config.json` names the mock server. The server
 * is reset before each test, which may script its responses.
 */
export const test = base.extend<{ mock: MockServer }, { another: AnotherServer }>({
  another: [
    async ({ browserName }, use) => {
      expect(browserName).toBe('chromium');
      const mock = await startMockServer();
      const host = await startStaticHost(BUILT_PAGE, { '/config.json': JSON.stringify(mock.config) });
      await use({ mock, host });
      await host.close();
      await mock.close();
    },
    { scope: 'worker' },
  ],
  mock: [
    async ({ another }, use) => {
      another.mock.reset();
      await use(another.mock);
    },
    { auto: true },
  ],
  baseURL: async ({ another }, use) => {
    await use(another.host.url);
  },
});
