import { expect, test } from './support/skylark.ts';

test('reports the path that was opened, also after the visitor has moved on', async ({ page }) => {
  const reported: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/vitals')) reported.push(request.postDataJSON().page);
  });
  const code = page.waitForResponse((response) => /report-vitals-[\w-]+\.js$/.test(response.url()));
  await page.goto('/shortlist');
  await page.getByRole('banner').getByRole('link').first().click();
  await expect(page).toHaveURL('/');
  await page.getByRole('combobox', { name: 'Destination' }).click();
  await code;
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });
  await expect.poll(() => [...new Set(reported)]).toEqual(['/shortlist']);
});

test('reports Web Vitals to the operator when the visitor leaves the page, and nothing else', async ({
  page,
  skylark,
}) => {
  const told: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/vitals')) told.push(request.postDataJSON());
  });
  const code = page.waitForResponse((response) => /report-vitals-[\w-]+\.js$/.test(response.url()));
  await page.goto('/');
  await page.getByRole('combobox', { name: 'Destination' }).click();
  await code;
  await page.getByRole('combobox', { name: 'Destination' }).fill('beni');
  await page.getByRole('option').first().waitFor();
  // A tab is hidden before it is closed or left.
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });
  await expect.poll(() => told.length).toBeGreaterThan(0);
  for (const one of told) {
    expect(one).toEqual({
      page: '/',
      measurements: expect.arrayContaining([{ name: expect.any(String), value: expect.any(Number) }]),
    });
  }

  await expect
    .poll(async () => (await fetch(`${skylark.url}/metrics`)).text())
    .toMatch(/^skylark_web_vital_seconds_count\{name="TTFB",page="\/"\} [1-9]/m);
  const metrics = await (await fetch(`${skylark.url}/metrics`)).text();
  expect(metrics).toContain('skylark_web_vital_seconds_count{name="FCP",page="/"}');
  expect(metrics).toMatch(/^skylark_store_offers \d+$/m);
  expect(metrics).toMatch(/^skylark_alerts_up 1$/m);
  expect(metrics).toContain('nodejs_eventloop_lag_seconds');
});
