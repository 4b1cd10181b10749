import { airportField, cards, destinationField, pick, search, searchButton } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

/** The rows of a list long enough to be indexed in the worker. */
const LONG_LIST = [
  'country,region,resort',
  ...Array.from({ length: 6_000 }, (_, nth) => `Spain,Coast ${nth},Resort ${nth}`),
];

test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile, lineNumber }) =>
      console.error(`VIOLATION ${violatedDirective} ${sourceFile}:${lineNumber}`),
    );
  });
});

test('runs the whole page, its widget and its worker without a violation of its policy', async ({ page }) => {
  const violations: string[] = [];
  page.on('console', (message) => {
    if (/VIOLATION|Content.Security|TrustedScript/i.test(message.text())) violations.push(message.text());
  });
  const list = LONG_LIST.concat('Spain,Costa Blanca,Benidorm').join('\n');
  await page.route('**/data/locations.csv', (route) =>
    route.fulfill({ contentType: 'text/csv', body: list }),
  );
  await page.goto('/');
  await pick(page, destinationField(page), 'Benidorm', /^Benidorm/);
  await pick(page, airportField(page), 'LGW', /Gatwick/);
  await searchButton(page).click();
  await expect(page.getByText(/results|No holidays found/).first()).toBeVisible();
  await page.unroute('**/data/locations.csv');
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await expect(cards(page).first()).toBeVisible();
  // The widget paints into its placeholders.
  await expect(page.locator('script[src*="price-analysis"]')).toBeAttached();
  expect(violations).toEqual([]);
});

test('turns no text into HTML or script', async ({ page }) => {
  await page.goto('/');
  const outcome = await page.evaluate(() => {
    const tried = (act: () => void) => {
      try {
        act();
        return 'done';
      } catch (error) {
        return String((error as Error).name);
      }
    };
    const policies = (
      window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): object } }
    ).trustedTypes;
    return [
      tried(() => {
        document.createElement('div').innerHTML = '<img src=x onerror=alert(1)>';
      }),
      tried(() => {
        document.createElement('script').src = '/elsewhere.js';
      }),
      tried(() => policies.createPolicy('another', {})),
    ];
  });
  expect(outcome).toEqual(['TypeError', 'TypeError', 'TypeError']);
});
