import type { Page } from '@playwright/test';
import { cards, search } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

const SUCCESS = 'Keep an eye on your WhatsApp for updates and notifications about this holiday';

/** Section 3: the sign-up sends the whole package. */
const PACKAGE_FIELDS = [
  'ItemKey',
  'CacheKey',
  'Brand',
  'LastUpdate',
  'Expiry',
  'HolidayCountry',
  'HolidayRegion',
  'HolidayResort',
  'Duration',
  'BoardBasis',
  'RoomTypeDescription',
  'DeeplinkUrl',
  'HotelDetails',
  'FlightDetails',
  'PriceDetails',
];

async function openModal(page: Page): Promise<unknown[]> {
  const sent: unknown[] = [];
  await page.route('**/intents', async (route) => {
    sent.push(route.request().postDataJSON());
    await route.fulfill({ json: {} });
  });
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await alertsButton(page).click();
  await expect(page.getByRole('dialog', { name: 'Watch this' })).toBeVisible();
  return sent;
}

function alertsButton(page: Page) {
  return cards(page)
    .first()
    .getByRole('button', { name: /Set up price alerts/ });
}

// @proves 1.4, 2.40, 2.41, 2.42, 2.44, 5.7
test('shows the texts of the alert modal, and sends the package with the canonical number', async ({
  page,
}) => {
  const sent = await openModal(page);
  const modal = page.getByRole('dialog', { name: 'Watch this' });
  await expect(modal.getByText('Send me price drops for this and similar deals')).toBeVisible();
  await expect(modal.getByText('No spam, just useful updates')).toBeVisible();
  await expect(modal.getByText(/^\d+(st|nd|rd|th) \w+ \d{4} from London Gatwick, \d+ nights$/)).toBeVisible();
  await expect(modal.getByText(/^£[\d,]+ now$/)).toBeVisible();
  await expect(
    modal.getByText(
      'By continuing, you agree to receive alerts via WhatsApp. You can stop them at any time.',
    ),
  ).toBeVisible();
  const phone = modal.getByLabel('Your phone number');
  await expect(phone).toHaveAttribute('placeholder', 'Enter your UK mobile number');
  await phone.fill('+44 (7700) 900-123');
  await modal.getByRole('button', { name: 'Track with WhatsApp' }).click();
  await expect(modal.getByRole('button', { name: 'Submitted' })).toBeVisible();
  await expect(modal.getByText(SUCCESS)).toBeVisible();
  await expect(modal.getByText('Reply YES to the message we’ve just sent')).toBeVisible();
  // The submitted number stays visible, but cannot be edited any more.
  await expect(phone).toHaveValue('+44 7700 900123');
  await expect(phone).not.toBeEditable();
  expect(sent).toEqual([
    {
      user: { platform: 'whatsapp', channel: expect.any(String), channel_id: '447700900123' },
      intentName: 'alertSignup',
      intent: { packageHoliday: expect.objectContaining({ ItemKey: expect.any(String) }) },
    },
  ]);
  const [{ intent }] = sent as [{ intent: { packageHoliday: Record<string, unknown> } }];
  const published = await page.evaluate(() => window.holidayPageData?.packages[0]?.ItemKey);
  expect(intent.packageHoliday.ItemKey).toBe(published);
  expect(Object.keys(intent.packageHoliday)).toEqual(expect.arrayContaining(PACKAGE_FIELDS));
});

test('says that a YES is needed, what to do after a STOP, and when a message waits until morning', async ({
  page,
}) => {
  await openModal(page);
  await page.route('**/intents', (route) => route.fulfill({ json: { status: 'ok', waitsUntil: '7am' } }));
  const modal = page.getByRole('dialog', { name: 'Watch this' });
  await expect(modal.getByText(/reply YES to our WhatsApp message\./)).toBeVisible();
  await expect(modal.getByText(/^Replied STOP before\?/)).toBeVisible();
  await modal.getByLabel('Your phone number').fill('07700 900123');
  await modal.getByRole('button', { name: 'Track with WhatsApp' }).click();
  await expect(modal.getByText(/we’ll message you after 7am/)).toBeVisible();
});

test('does not ask for a YES if alerts start without one', async ({ page }) => {
  await page.route('**/config.json', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), alertsNeedYes: false } });
  });
  await openModal(page);
  const modal = page.getByRole('dialog', { name: 'Watch this' });
  await expect(modal.getByText(/^Replied STOP before\?/)).toBeVisible();
  await expect(modal.getByText(/reply YES/)).toHaveCount(0);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflow)).toBe('hidden');
  await modal.getByRole('button', { name: 'Close' }).click();
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflow)).toBe('visible');
});

// @proves 2.42
test('names the sender, links to the privacy page, and shows that it is submitting', async ({ page }) => {
  await openModal(page);
  let answer: () => void = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/intents', async (route) => {
    await answered;
    await route.fulfill({ status: 200, json: {} });
  });
  const modal = page.getByRole('dialog', { name: 'Watch this' });
  await expect(modal.getByText('Messages come from Skylark.')).toBeVisible();
  await expect(modal.getByRole('link', { name: /How we look after your number/ })).toHaveAttribute(
    'href',
    '/privacy',
  );
  await modal.getByLabel('Your phone number').fill('07700 900123');
  await modal.getByRole('button', { name: 'Track with WhatsApp' }).click();
  await expect(modal.getByRole('button', { name: 'Submitting...' })).toHaveAttribute('aria-disabled', 'true');
  answer();
  await expect(modal.getByRole('button', { name: 'Submitted' })).toBeVisible();
});

test('stays open if a text selection ends outside it', async ({ page }) => {
  await openModal(page);
  const modal = page.getByRole('dialog', { name: 'Watch this' });
  const phone = modal.getByLabel('Your phone number');
  await phone.fill('07700 900123');
  await phone.hover();
  await page.mouse.down();
  await page.mouse.move(5, 5);
  await page.mouse.up();
  await expect(modal).toBeVisible();
  await expect(phone).toHaveValue('07700 900123');
});

// @proves 2.43
test('closes on ×, Escape and the overlay, and returns the focus to its button', async ({ page }) => {
  await openModal(page);
  const modal = page.getByRole('dialog', { name: 'Watch this' });
  const ways = [
    () => modal.getByRole('button', { name: 'Close' }).click(),
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(5, 5),
  ];
  for (const close of ways) {
    await close();
    await expect(modal).toBeHidden();
    await expect(alertsButton(page)).toBeFocused();
    await alertsButton(page).click();
    await expect(modal).toBeVisible();
  }
});

// @proves 1.7
test('serves an icon for each contact channel, and shows the WhatsApp icon in the modal', async ({
  page,
}) => {
  await openModal(page);
  const modal = page.getByRole('dialog', { name: 'Watch this' });
  await expect(modal.locator('img[src="/assets/channels/whatsapp.svg"]')).toBeVisible();
  for (const channel of ['whatsapp', 'email', 'phone']) {
    const response = await page.request.get(`/assets/channels/${channel}.svg`);
    expect(response.headers()['content-type']).toContain('image/svg+xml');
    expect((await response.body()).length).toBeLessThan(4_000);
  }
});
