import { cards, search } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

test('shows the visitor’s own long reply line by line on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await cards(page)
    .first()
    .getByRole('button', { name: /Set up price alerts/ })
    .click();
  await page.getByLabel('Your phone number').fill('07700 900772');
  await page.getByRole('button', { name: 'Track with WhatsApp' }).click();
  await expect(page.getByText(/Keep an eye on your WhatsApp/)).toBeVisible();
  await page.goto('/outbox');
  const phone = page.getByRole('region', { name: 'The phone ending in 772' });
  await phone
    .getByLabel('Or write your own reply')
    .fill('Is the pool heated, and how far is it from the beach?');
  await phone.getByRole('button', { name: 'Send', exact: true }).click();
  const answer = phone.getByRole('listitem').filter({ hasText: 'Is the pool heated' });
  const [text, time] = await Promise.all([
    answer.getByText('Is the pool heated').boundingBox(),
    answer.getByRole('time').boundingBox(),
  ]);
  expect(text?.width).toBeGreaterThan(200);
  expect(time?.height).toBeLessThan(40);
  expect(time?.y).toBeGreaterThanOrEqual((text?.y ?? 0) + (text?.height ?? 0));
});
