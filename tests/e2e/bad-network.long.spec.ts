import { type BadNetwork, FAULTS, startBadNetwork } from './support/bad-network.ts';
import { SCREENS, visit } from './support/bad-network-screens.ts';
import { test } from './support/skylark.ts';

/* Every resource of every screen fails once, in each way. The offered buttons recover, without a reload by hand. */

let network: BadNetwork;
test.beforeAll(async ({ skylark }) => {
  network = await startBadNetwork(skylark.url);
});
test.afterAll(() => network.close());

for (const [name, screen] of Object.entries(SCREENS)) {
  for (const hasWorker of [false, true]) {
    test(`reaches ${name} on a bad network, ${hasWorker ? 'with' : 'without'} the worker`, async ({
      browser,
    }) => {
      test.setTimeout(60 * 60_000);
      await visit(browser, network, screen, { hasWorker });
      const document = new URL(screen.url, network.url).pathname;
      // A browser shows its own page for a document that is missing, unless the worker has kept one.
      const resources = [...network.requested].filter((each) => hasWorker || each !== document);
      for (const resource of resources) {
        for (const fault of FAULTS) {
          await test.step(`The network ${fault} ${resource}`, () =>
            visit(browser, network, screen, { resource, fault, hasWorker }));
        }
      }
    });
  }
}
