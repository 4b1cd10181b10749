import { changedItem, openItems } from './support/another-search.ts';
import { expect, test } from './support/another-server.ts';
import { cards } from './support/journeys.ts';

const at = (number: number, Latitude: number | null, Longitude: number | null) =>
  changedItem(number, { hotel: { Latitude, Longitude }, TotalPrice: 500 + number });
/** Three hotels in a town, two of them in one spot; one hotel far away; and one without a position. */
const ITEMS = [
  at(1, 38.534, -0.131),
  at(2, 38.534, -0.131),
  at(3, 38.56, -0.09),
  at(4, null, null),
  ...Array.from({ length: 7 }, (_, nth) => at(5 + nth, null, null)),
  at(12, 40.2, -3.6),
];

test('groups pins that overlap, opens them by zooming, and a pin opens its card on any page', async ({
  page,
  mock,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openItems(page, mock, ITEMS);
  const map = page.getByRole('region', { name: 'Map of results' });
  await expect(map).toHaveCount(0);
  await page.getByRole('button', { name: 'Map', exact: true }).click();
  await expect(map.getByRole('listitem')).toHaveCount(2);
  await map.getByRole('button', { name: '3 holidays from £501' }).press('Enter');
  const spot = map.getByRole('button', { name: '2 holidays from £501' });
  await expect(spot).toBeFocused();
  await expect(map.getByRole('button', { name: 'Hotel 3 £503' })).toBeVisible();
  await spot.click();
  await expect(map.getByRole('list', { name: 'In this spot' }).getByRole('button')).toHaveText([
    'Hotel 1 £501',
    'Hotel 2 £502',
  ]);
  await map.getByRole('button', { name: 'Hotel 2 £502' }).press('Enter');
  const second = cards(page).filter({ hasText: 'Hotel 2' });
  await expect(second).toBeFocused();
  await expect(second).toHaveAttribute('aria-current', 'true');
  await map.getByRole('button', { name: 'Close' }).click();
  await cards(page).filter({ hasText: 'Hotel 3' }).first().getByRole('link').first().focus();
  await expect(map.getByRole('button', { name: 'Hotel 3 £503' })).toHaveAttribute('aria-current', 'true');

  await map.getByRole('button', { name: 'Show all' }).click();
  await expect(map.getByRole('button', { name: '3 holidays from £501' })).toHaveAttribute(
    'aria-current',
    'true',
  );
  await map.getByRole('button', { name: 'Hotel 12 £512' }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(cards(page).filter({ hasText: 'Hotel 12' })).toBeFocused();
  await page.getByRole('button', { name: 'Map', exact: true }).click();
  await expect(map).toHaveCount(0);
});

test('moves and zooms by mouse, wheel and keys', async ({ page, mock }) => {
  await openItems(page, mock, ITEMS);
  await page.getByRole('button', { name: 'Map', exact: true }).click();
  const map = page.getByRole('region', { name: 'Map of results' });
  const far = map.getByRole('button', { name: 'Hotel 12 £512' });
  await far.scrollIntoViewIfNeeded();
  const where = async () => (await far.boundingBox()) ?? { x: Number.NaN, y: Number.NaN };
  const before = await where();
  await page.mouse.move(before.x, before.y + 80);
  await page.mouse.down();
  await page.mouse.move(before.x + 60, before.y + 100, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await where()).x).toBeGreaterThan(before.x + 30);
  const group = map.getByRole('button', { name: '3 holidays from £501' });
  await expect(group).toBeVisible();
  await map.locator('canvas').focus();
  await page.keyboard.press('ArrowLeft');
  const dragged = await where();
  await expect.poll(async () => (await where()).x).not.toBe(before.x + 60);
  await page.mouse.wheel(0, -400);
  await expect.poll(async () => (await where()).x).not.toBe(dragged.x);
});

test('shows the chosen holiday over the map on a phone', async ({ page, mock }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await openItems(page, mock, ITEMS);
  await page.getByRole('button', { name: 'Map', exact: true }).click();
  const map = page.getByRole('region', { name: 'Map of results' });
  await map.getByRole('button', { name: 'Hotel 12 £512' }).click();
  const card = map.getByRole('region', { name: 'Hotel 12' });
  await expect(card).toBeFocused();
  await expect(card).toContainText('£512');
  await card.getByRole('button', { name: 'Close' }).click();
  await expect(card).toHaveCount(0);
  await map.getByRole('button', { name: 'Hotel 12 £512' }).click();
  await card.getByRole('button', { name: 'See this holiday' }).click();
  await expect(cards(page).filter({ hasText: 'Hotel 12' })).toBeFocused();
});

test('is a list without WebGL', async ({ page, mock }) => {
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  await openItems(page, mock, ITEMS);
  await page.getByRole('button', { name: 'Map', exact: true }).click();
  const map = page.getByRole('region', { name: 'Map of results' });
  await expect(map.getByRole('listitem')).toHaveCount(4);
  await map.getByRole('button', { name: 'Hotel 12 £512' }).press('Enter');
  await expect(cards(page).filter({ hasText: 'Hotel 12' })).toBeFocused();
});

test('stands beside the cards on a wide screen, and above them on a phone', async ({ page, mock }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await openItems(page, mock, ITEMS);
  await page.getByRole('button', { name: 'Map', exact: true }).click();
  const map = page.getByRole('region', { name: 'Map of results' });
  await expect(map).toBeVisible();
  const sides = async () => [await map.boundingBox(), await cards(page).first().boundingBox()];
  const [wide, card] = await sides();
  expect(wide?.x).toBeGreaterThan((card?.x ?? 0) + (card?.width ?? 0));
  await page.setViewportSize({ width: 360, height: 800 });
  const [narrow, below] = await sides();
  expect(narrow?.width).toBeGreaterThan(300);
  expect(below?.y).toBeGreaterThan((narrow?.y ?? 0) + (narrow?.height ?? 0));
});

test('is not offered where no result has a position', async ({ page, mock }) => {
  await openItems(page, mock, [at(1, null, null)]);
  await expect(page.getByLabel('Sort by')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Map', exact: true })).toHaveCount(0);
});
