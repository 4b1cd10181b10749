import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { cards, search } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

test.use({ viewport: { width: 375, height: 740 } });

const TELL_ME = 'Tell me when this costs less';

/** Signs up in the open modal, and confirms in the local outbox. Returns what the message says is watched. */
async function signUp(page: Page, phone: string): Promise<string> {
  const modal = page.getByRole('dialog', { name: 'Watch this' });
  const { violations } = await new AxeBuilder({ page }).include('dialog').analyze();
  expect(violations).toEqual([]);
  await modal.getByLabel('Your phone number').fill(phone);
  await modal.getByRole('button', { name: 'Track with WhatsApp' }).click();
  await expect(modal.getByText(/Keep an eye on your WhatsApp/)).toBeVisible();
  await page.goto('/outbox');
  const section = page.getByRole('region', { name: `The phone ending in ${phone.slice(-3)}` });
  const asked = section.getByText(/^This is .+ Reply YES/s);
  const text = (await asked.textContent()) ?? '';
  await section.getByRole('button', { name: 'YES', exact: true }).click();
  await expect(section.getByText("You're watching:")).toBeVisible();
  const link = section.getByRole('link', { name: /my-alerts\?token=/ }).last();
  const { pathname, search: token } = new URL((await link.getAttribute('href')) ?? '');
  await page.goto(`${pathname}${token}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Your price alerts' })).toBeVisible();
  return text;
}

test('watches the results’ search with its filters, offers a limit below the lowest price, and lists it', async ({
  page,
}) => {
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  const total = Number(
    ((await cards(page).first().locator('.holiday-price strong').textContent()) ?? '').replace(/\D/g, ''),
  );
  await page.getByRole('button', { name: TELL_ME }).click();
  const modal = page.getByRole('dialog', { name: 'Watch this' });
  await expect(
    modal.getByText(/^Benidorm from London Gatwick, 7 nights from .+, for 2 adults$/),
  ).toBeVisible();
  const limit = modal.getByLabel('Alert me when the total is at most (£)');
  const offered = Number(await limit.inputValue());
  expect(offered).toBeLessThan(total);
  expect(offered).toBeGreaterThan(total * 0.9);
  await limit.fill(String(total + 200));
  const text = await signUp(page, '07700 900761');
  expect(text).toContain(`You asked for prices up to £${(total + 200).toLocaleString('en-GB')}.`);

  await expect(page.getByRole('heading', { level: 2, name: /^Benidorm from London Gatwick/ })).toBeVisible();
  await expect(page.getByText(/£[\d,]+ now/)).toBeVisible();
  await page.getByRole('button', { name: /^Pause/ }).click();
  await page.getByRole('button', { name: /^Turn back on/ }).click();
  await page.getByText(/^I’ve booked this/).click();
  await page.getByLabel('What did you pay in total? (£)').fill('1,500');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved. We’ll tell you if it falls by 5% and £25.')).toBeVisible();
  await expect(page.getByText(/You booked it for £1,500.+Most providers don’t refund a fall/)).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
});

test('watches a search without results, for any price', async ({ page }) => {
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await expect(page.getByRole('button', { name: TELL_ME })).toBeVisible();
  const url = new URL(page.url());
  url.searchParams.set('hotel', 'zzzz');
  await page.goto(url.pathname + url.search);
  await page.getByRole('button', { name: 'Tell me when there is something' }).click();
  const modal = page.getByRole('dialog', { name: 'Watch this' });
  await expect(modal.getByText('Nothing on sale now')).toBeVisible();
  await expect(modal.getByLabel('Alert me when the total is at most (£)')).toHaveValue('');
  const text = await signUp(page, '07700 900762');
  expect(text).toContain('with 1 filter. You asked for any price.');
  await expect(page.getByText('No provider sells it at the moment.')).toBeVisible();
});

test('watches all departures of a month from the calendar of prices', async ({ page }) => {
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  const opener = page.getByRole('button', { name: 'Prices by month' });
  await opener.click();
  const calendar = page.getByRole('dialog', { name: 'Choose a departure date' });
  await calendar.getByRole('button', { name: 'Next month' }).click();
  const cheapest = /(£[\d,]+) cheapest in (\w+ \d+)/;
  await expect(calendar.getByText(cheapest)).toBeVisible();
  const [, price = '', month = ''] = cheapest.exec((await calendar.textContent()) ?? '') ?? [];
  await calendar.getByRole('button', { name: TELL_ME }).click();
  await expect(calendar).toBeHidden();
  const modal = page.getByRole('dialog', { name: 'Watch this' });
  const [name, year] = month.split(' ');
  await expect(
    modal.getByText(
      new RegExp(
        `^Benidorm from London Gatwick, 7 nights departing 1st ${name} ${year} to \\d\\d(st|th) ${name} ${year}, for 2 adults$`,
      ),
    ),
  ).toBeVisible();
  await expect(modal.getByText(`From ${price} now`)).toBeVisible();
  await modal.getByRole('button', { name: 'Close' }).click();
  await expect(opener).toBeFocused();
  await opener.click();
  await calendar.getByRole('button', { name: 'Next month' }).click();
  await calendar.getByRole('button', { name: TELL_ME }).click();
  expect(await signUp(page, '07700 900764')).toMatch(
    new RegExp(`Benidorm from London Gatwick, .+ ${name} ${year}`),
  );
});

test('watches all departures of a place in Explore', async ({ page }) => {
  await page.goto('/explore?from=LGW&country=Spain');
  await page.getByRole('button', { name: TELL_ME }).click();
  const modal = page.getByRole('dialog', { name: 'Watch this' });
  await expect(
    modal.getByText(/^Spain from London Gatwick, 4 to 14 nights departing .+ to .+, for 2 adults$/),
  ).toBeVisible();
  await signUp(page, '07700 900763');
});

test('opens from a hotel’s page, also for a booked holiday', async ({ page }) => {
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  const card = cards(page).first();
  const name = (await card.getByRole('heading').textContent()) ?? '';
  await card.getByRole('heading').getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  const { pathname, search: query } = new URL(page.url());
  await page.getByRole('link', { name: TELL_ME }).click();
  const modal = page.getByRole('dialog', { name: 'Watch this' });
  await expect(modal.getByText(new RegExp(`^${name} from London Gatwick, 7 nights`))).toBeVisible();
  await page.goto(pathname + query);
  await page.getByRole('link', { name: 'I’ve booked this' }).click();
  await expect(modal.getByText(/Most providers don’t refund a fall/)).toBeVisible();
  await expect(modal.getByLabel('What did you pay in total? (£)')).toHaveValue(/^\d+$/);
  const text = await signUp(page, '07700 900765');
  expect(text).toMatch(/You booked it for £[\d,]+\./);
  await expect(page.getByText(/Most providers don’t refund a fall/)).toBeVisible();
});
