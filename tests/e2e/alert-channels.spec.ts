import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { cards, search } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

test.use({ serviceWorkers: 'allow' });

async function openModal(page: Page): Promise<Record<string, unknown>[]> {
  const sent: Record<string, unknown>[] = [];
  await page.route('**/intents', async (route) => {
    sent.push(route.request().postDataJSON());
    await route.fulfill({ status: 200, json: {} });
  });
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await cards(page)
    .first()
    .getByRole('button', { name: /Set up price alerts/ })
    .click();
  await expect(page.getByRole('dialog', { name: 'Watch this' })).toBeVisible();
  return sent;
}

test('offers email and this browser below the consent text', async ({ page }) => {
  await openModal(page);
  const modal = page.getByRole('dialog');
  await expect(modal.getByRole('heading', { name: 'Or by email, or in this browser' })).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).include('dialog').analyze();
  expect(violations).toEqual([]);
});

test('hides the channels that the server does not offer', async ({ page }) => {
  await page.route('**/config.json', async (route) => {
    const response = await route.fetch();
    const { emailAlerts: _email, webPushKey: _key, ...config } = await response.json();
    await route.fulfill({ response, json: config });
  });
  await openModal(page);
  await expect(page.getByRole('dialog').getByText('Or by email')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Track in this browser' })).toHaveCount(0);
});

test('signs up an email address, and rejects text that is not one', async ({ page }) => {
  const sent = await openModal(page);
  const modal = page.getByRole('dialog');
  await modal.getByLabel('Your email address').fill('someone');
  await modal.getByRole('button', { name: 'Track by email' }).click();
  await expect(modal.getByText('Please enter a valid email address')).toBeVisible();
  expect(sent).toEqual([]);
  await modal.getByLabel('Your email address').fill(' someone@Example.com ');
  await modal.getByRole('button', { name: 'Track by email' }).click();
  await expect(modal.getByText(/We’ve emailed you/)).toBeVisible();
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({
    user: { platform: 'email', channel_id: 'someone@example.com' },
    intentName: 'alertSignup',
  });
});

test('signs up an ntfy topic where the server offers it, and rejects text that is not one', async ({
  page,
}) => {
  await page.route('**/config.json', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ntfyAlerts: true } });
  });
  const sent = await openModal(page);
  const modal = page.getByRole('dialog');
  await modal.getByLabel('Your ntfy topic').fill('my topic');
  await modal.getByRole('button', { name: 'Track through ntfy' }).click();
  await expect(modal.getByText('Please enter a topic of letters, digits, - and _')).toBeVisible();
  expect(sent).toEqual([]);
  await modal.getByLabel('Your ntfy topic').fill(' my-topic ');
  await modal.getByRole('button', { name: 'Track through ntfy' }).click();
  await expect(modal.getByText(/We’ve sent a notification/)).toBeVisible();
  expect(sent).toMatchObject([{ user: { platform: 'ntfy', channel_id: 'my-topic' } }]);
});

test('asks for permission only after the click, registers the service worker, and signs up the browser', async ({
  page,
}) => {
  // A headless browser has no push service, so its responses are stubbed. The worker is registered for real.
  await page.addInitScript(() => {
    const asked: string[] = [];
    Object.assign(window, { asked });
    Notification.requestPermission = async () => {
      asked.push('permission');
      return 'granted';
    };
    PushManager.prototype.subscribe = async function subscribe(options) {
      const key = options?.applicationServerKey;
      asked.push(typeof key === 'string' && key.length > 80 ? 'subscribed' : 'no key');
      const json = { endpoint: 'https://fcm.googleapis.com/fcm/send/x', keys: { p256dh: 'p', auth: 'a' } };
      return { toJSON: () => json } as unknown as PushSubscription;
    };
  });
  const sent = await openModal(page);
  const asked = () => page.evaluate(() => (window as unknown as { asked: string[] }).asked);
  expect(await asked()).toEqual([]);
  await page.getByRole('button', { name: 'Track in this browser' }).click();
  await expect(page.getByText(/We’ll notify you here/)).toBeVisible();
  expect(await asked()).toEqual(['permission', 'subscribed']);
  expect(sent[0]).toMatchObject({
    user: {
      platform: 'push',
      channel_id: 'https://fcm.googleapis.com/fcm/send/x',
      keys: { p256dh: 'p', auth: 'a' },
    },
  });
  const workers = await page.evaluate(async () =>
    (await navigator.serviceWorker.getRegistrations()).map(({ active, scope }) => [
      new URL(active?.scriptURL ?? '').pathname,
      new URL(scope).pathname,
    ]),
  );
  expect(workers).toEqual([['/service-worker.js', '/']]);
});

test('replaces a subscription that was made with another key', async ({ page }) => {
  await page.addInitScript(() => {
    const done: string[] = [];
    Object.assign(window, { done });
    Notification.requestPermission = async () => 'granted';
    PushManager.prototype.getSubscription = async () =>
      ({
        options: { applicationServerKey: new Uint8Array([1, 2, 3]).buffer },
        unsubscribe: async () => done.push('unsubscribed') > 0,
      }) as unknown as PushSubscription;
    PushManager.prototype.subscribe = async () => {
      if (done.length === 0) throw new DOMException('Another key', 'InvalidStateError');
      const json = { endpoint: 'https://fcm.googleapis.com/fcm/send/y', keys: { p256dh: 'p', auth: 'a' } };
      return { toJSON: () => json } as unknown as PushSubscription;
    };
  });
  const sent = await openModal(page);
  await page.getByRole('button', { name: 'Track in this browser' }).click();
  await expect(page.getByText(/We’ll notify you here/)).toBeVisible();
  expect(sent[0]).toMatchObject({ user: { channel_id: 'https://fcm.googleapis.com/fcm/send/y' } });
  // The browser has no such subscription at the next visit.
  await page.goto('/');
  const ended = page.getByText(/Price alerts in this browser have ended/);
  await expect(ended).toBeVisible();
  await page.getByRole('button', { name: 'OK', exact: true }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible();
  await expect(ended).toHaveCount(0);
});

test('asks to try again after the prompt was dismissed', async ({ page }) => {
  await page.addInitScript(() => {
    Notification.requestPermission = async () => 'default';
  });
  await openModal(page);
  await page.getByRole('button', { name: 'Track in this browser' }).click();
  await expect(page.getByText(/You haven’t allowed notifications yet/)).toBeVisible();
  await expect(page.getByText(/blocked/)).toHaveCount(0);
});

test('says that notifications are blocked, and lets the visitor try again', async ({ page }) => {
  await page.addInitScript(() => {
    Notification.requestPermission = async () => 'denied';
  });
  const sent = await openModal(page);
  await page.getByRole('button', { name: 'Track in this browser' }).click();
  await expect(page.getByText(/Notifications from this site are blocked/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Track in this browser' })).toBeEnabled();
  expect(sent).toEqual([]);
});
