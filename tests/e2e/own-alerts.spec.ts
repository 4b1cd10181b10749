import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { cards, search } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

/**
 * Sets up an alert on the first card, confirms it in the local outbox, and opens the link of the latest
 * message. Returns the link's path with its token.
 */
async function openOwnAlerts(page: Page, phone: string): Promise<string> {
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  const card = cards(page).first();
  await card.getByRole('button', { name: /Set up price alerts/ }).click();
  await page.getByLabel('Your phone number').fill(phone);
  await page.getByRole('button', { name: 'Track with WhatsApp' }).click();
  await expect(page.getByText(/Keep an eye on your WhatsApp/)).toBeVisible();
  await page.goto('/outbox');
  const section = page.getByRole('region', { name: `The phone ending in ${phone.slice(-3)}` });
  await section.getByRole('button', { name: 'YES', exact: true }).click();
  await expect(section.getByText("You're watching:")).toBeVisible();
  const link = section.getByRole('link', { name: /my-alerts\?token=/ }).last();
  const { pathname, search: token } = new URL((await link.getAttribute('href')) ?? '');
  const address = `${pathname}${token}`;
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1, name: 'Your price alerts' })).toBeVisible();
  return address;
}

const watches = (page: Page) => page.getByRole('button', { name: /^Stop this one/ });

test('changes the limit of an alert, stops it, and deletes everything, by keyboard', async ({ page }) => {
  const address = await openOwnAlerts(page, '07700 900771');
  await expect(page.getByText('the number ending in 771')).toBeVisible();
  await expect(page.getByText(/£[\d,]+ now/)).toBeVisible();

  const limit = page.getByLabel(/^Alert me when the total is at most/);
  await limit.focus();
  await page.keyboard.type('cheap');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText(/Enter whole pounds/);
  await expect(limit).toHaveAttribute('aria-invalid', 'true');
  await expect(limit).toBeFocused();
  await limit.fill('£150');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
  await expect(limit).toHaveValue('150');
  // A reload does not post again.
  await page.reload();
  await expect(limit).toHaveValue('150');

  // Opens the URL without a fragment, because browsers differ in whether a reload moves focus to a fragment.
  await page.goto(address);
  await watches(page).focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('status')).toHaveText('Stopped. You won’t hear about that holiday again.');
  await expect(page).toHaveTitle(/^Stopped/);
  await expect(watches(page)).toHaveCount(0);

  const summary = page.getByText('Delete everything', { exact: true });
  await summary.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Delete everything now' }).click();
  await expect(page.getByRole('heading', { name: 'We’ve deleted your data' })).toBeVisible();
});

test('keeps focus in the limit’s form while the stylesheet loads late', async ({ page }) => {
  await openOwnAlerts(page, '07700 900773');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/my-alerts.css', async (route) => {
    await released;
    await route.continue();
  });
  const limit = page.getByLabel(/^Alert me when the total is at most/);
  await limit.fill('cheap');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText(/Enter whole pounds/);
  await limit.fill('£150');
  await page.keyboard.press('Tab');
  const styled = page.waitForEvent('load');
  release();
  await styled;
  await expect(limit).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
});

test('downloads the stored data, and stops everything until START', async ({ page }) => {
  await openOwnAlerts(page, '07700 900772');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download your data' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('my-price-alerts.json');
  await page.getByRole('button', { name: 'Stop all WhatsApp messages' }).click();
  await expect(page.getByText('You’ve stopped all WhatsApp messages.')).toBeVisible();
  await expect(page.getByText(/send START on WhatsApp/)).toBeVisible();
  await expect(watches(page)).toHaveCount(1);
  await expect(page.getByText('Paused.', { exact: true })).toBeVisible();
});

for (const [width, scheme] of [
  [320, 'dark'],
  [375, 'light'],
  [1440, 'light'],
] as const) {
  test(`has no accessibility violation and no sideways scrolling at ${width} pixels, ${scheme}`, async ({
    page,
  }) => {
    await openOwnAlerts(page, `07700 900${String(width).slice(-3)}`);
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    for (const summary of await page.locator('summary').all()) await summary.click();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  });
}
