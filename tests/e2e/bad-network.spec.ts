import { type BadNetwork, startBadNetwork } from './support/bad-network.ts';
import { keepPage, SCREENS, type Trouble, visit } from './support/bad-network-screens.ts';
import { cards } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

/* A sample of bad-network.long.spec.ts. */

let network: BadNetwork;
test.beforeAll(async ({ skylark }) => {
  network = await startBadNetwork(skylark.url);
});
test.afterAll(() => network.close());

const SAMPLE: readonly (Trouble & { screen: string })[] = [
  { screen: 'results', fault: 'drops', resource: '/assets/index.js', hasWorker: false },
  { screen: 'results', fault: 'drops', resource: '/assets/LoadedResults.js', hasWorker: false },
  { screen: 'results', fault: 'answers 502 to', resource: '/graphql searchPackages', hasWorker: false },
  { screen: 'results', fault: "answers a portal's page to", resource: '/config.json', hasWorker: true },
  { screen: 'the form', fault: 'drops', resource: '/data/departure-airports.csv', hasWorker: false },
  {
    screen: 'the form',
    fault: "answers a portal's page to",
    resource: '/data/locations.csv',
    hasWorker: true,
  },
  { screen: 'alerts', fault: 'answers 502 to', resource: '/assets/AlertModal.js', hasWorker: false },
  {
    screen: 'a hotel',
    fault: "answers a portal's page to",
    resource: new URL(SCREENS['a hotel']?.url ?? '', 'http://hotel').pathname,
    hasWorker: true,
  },
  { screen: 'a hotel', fault: 'answers 502 to', resource: '/assets/AlertModal.js', hasWorker: false },
  { screen: 'Explore', fault: "answers a portal's page to", resource: '/graphql explore', hasWorker: false },
];

for (const { screen, ...trouble } of SAMPLE) {
  const { fault, resource, hasWorker } = trouble;
  test(`reaches ${screen}${hasWorker ? ', with the worker,' : ''} if the network once ${fault} ${resource}`, async ({
    browser,
  }) => {
    const found = SCREENS[screen];
    if (found === undefined) throw new Error(`There is no screen ${screen}`);
    await visit(browser, network, found, trouble);
  });
}

test("the worker keeps no portal's page in place of the settings", async ({ browser }) => {
  const context = await browser.newContext({ baseURL: network.url, serviceWorkers: 'allow' });
  const page = await context.newPage();
  await keepPage(page);
  network.failOnce('/config.json', "answers a portal's page to");
  await page.reload();
  await expect(cards(page).first()).toBeVisible();
  await context.setOffline(true);
  await page.reload();
  await expect(cards(page).first()).toBeVisible();
  await context.close();
});
