import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { changedItem, openItems } from './support/another-search.ts';
import { expect, test } from './support/another-server.ts';
import { cards } from './support/journeys.ts';

const photos = (...names: string[]) => names.map((name) => `/photos?of=${name}&by=x`);

/** Serves a picture for every photo except those named 'gone'. Returns the names that were fetched. */
async function servePhotos(page: Page): Promise<Set<string>> {
  const fetched = new Set<string>();
  const image = { create: { width: 320, height: 240, channels: 3, background: '#2080c0' } } as const;
  const body = await sharp(image).webp().toBuffer();
  await page.route('**/photos?*', (route) => {
    const name = new URL(route.request().url()).searchParams.get('of') ?? '';
    fetched.add(name);
    if (name === 'gone') return route.fulfill({ status: 404 });
    return route.fulfill({
      contentType: 'image/webp',
      headers: { 'cross-origin-resource-policy': 'cross-origin' },
      body,
    });
  });
  return fetched;
}

test('shows a hotel’s photos one after another, by keys and by swipe', async ({ page, mock }) => {
  const fetched = await servePhotos(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await openItems(page, mock, [
    changedItem(1, { hotel: { HotelImages: photos('a', 'b', 'c', 'd', 'e') } }),
    changedItem(2, { hotel: { HotelImages: photos('only') } }),
  ]);
  const card = cards(page).first();
  await expect(card.getByRole('button', { name: 'Next photo' })).toBeHidden();
  const height = (await card.boundingBox())?.height;
  expect([...fetched].filter((name) => name !== 'only')).toEqual(['a']);

  await page.keyboard.press('Tab');
  const next = card.getByRole('button', { name: 'Next photo' });
  await next.focus();
  await page.keyboard.press('Enter');
  await expect(card.getByText('Photo 2 of 5')).toBeVisible();
  await expect.poll(() => [...fetched].filter((name) => name !== 'only')).toEqual(['a', 'b', 'c']);
  await card.getByRole('button', { name: 'Previous photo' }).press('Enter');
  await expect(card.getByText('Photo 1 of 5')).toBeVisible();
  const strip = card.getByRole('list', { name: 'Photos' });
  await strip.evaluate((element) => element.scrollTo({ left: 3 * element.clientWidth, behavior: 'instant' }));
  await expect(card.getByText('Photo 4 of 5')).toBeVisible();

  expect((await card.boundingBox())?.height).toBe(height);
  expect(height).toBeLessThanOrEqual(340);
  await expect(cards(page).nth(1).getByRole('list', { name: 'Photos' })).toHaveCount(0);
  const { violations } = await new AxeBuilder({ page }).include('.holiday-image').analyze();
  expect(violations).toEqual([]);
});

test('draws the place where there is no photo or it does not load, never twice in a row', async ({
  page,
  mock,
}) => {
  await servePhotos(page);
  await openItems(page, mock, [
    changedItem(1, { hotel: { HotelImages: photos('gone') } }),
    ...[2, 3, 4].map((number) => changedItem(number, { HotelIdentifierCode: 'hotel-1' })),
    changedItem(5, { hotel: { HotelImages: ['https://elsewhere.example/a.jpg'] } }),
  ]);
  const sources = () =>
    page.locator('article img[alt=""]').evaluateAll((all) => all.map((one) => one.getAttribute('src') ?? ''));
  await expect(cards(page)).toHaveCount(5);
  for (let number = 0; number < 5; number += 1) await cards(page).nth(number).scrollIntoViewIfNeeded();
  await expect
    .poll(async () => (await sources()).every((source) => source.includes('/assets/places/')))
    .toBe(true);
  const shown = await sources();
  expect(shown.filter((source, index) => source === shown[index - 1])).toEqual([]);
});
