import type { Locator, Page } from '@playwright/test';
import { changedItem, openItems } from './support/another-search.ts';
import { expect, test } from './support/another-server.ts';
import { cards, chooseFilter, searchButton } from './support/journeys.ts';

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

test('keeps its view when filters change, and shows all pins of another search', async ({ page, mock }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openItems(page, mock, ITEMS);
  await page.getByLabel('How long').selectOption('10');
  await searchButton(page).click();
  await expect(page).toHaveURL(/nights=10/);
  await page.getByRole('button', { name: 'Map', exact: true }).click();
  const map = page.getByRole('region', { name: 'Map of results' });
  await map.getByRole('button', { name: '3 holidays from £501' }).click();
  const group = map.getByRole('button', { name: '2 holidays from £501' });
  const third = map.getByRole('button', { name: 'Hotel 3 £503' });
  await expect(group).toBeVisible();
  const zoomed = await third.getAttribute('style');
  const far = map.getByRole('button', { name: 'Hotel 12 £512' });
  mock.script.search = () => ({ items: ITEMS.slice(2) });
  await chooseFilter(page, 'Board', 'Half Board');
  await expect(group).toHaveCount(0);
  expect(await third.getAttribute('style')).toEqual(zoomed);
  mock.script.search = () => ({ items: ITEMS });
  await page.goBack();
  await expect(group).toBeVisible();
  expect(await third.getAttribute('style')).toEqual(zoomed);
  await expect(far).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(/nights=7/);
  await expect(far).toBeVisible();
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

test.describe('by touch', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 375, height: 800 } });

  test('pans with one finger, and a pinch opens a group, wherever the fingers start', async ({
    page,
    mock,
  }) => {
    await openItems(page, mock, [at(1, 38.534, -0.131), at(2, 38.7, -0.35), at(3, 40.2, -3.6)]);
    await page.getByRole('button', { name: 'Map', exact: true }).click();
    const map = page.getByRole('region', { name: 'Map of results' });
    const group = map.getByRole('button', { name: '2 holidays from £501' });
    await group.scrollIntoViewIfNeeded();
    const before = await centreOf(group);
    const sea = { x: before.x - 60, y: before.y - 90 };
    await drag(page, [[sea, { x: sea.x - 50, y: sea.y + 10 }]]);
    await expect.poll(async () => (await centreOf(group)).x).toBeLessThan(before.x - 20);

    // One finger starts on the group itself.
    const there = await centreOf(group);
    await drag(page, [
      [there, { x: there.x + 5, y: there.y + 120 }],
      [
        { x: there.x, y: there.y - 30 },
        { x: there.x - 5, y: there.y - 150 },
      ],
    ]);
    await expect(group).toHaveCount(0);
  });
});

interface Point {
  x: number;
  y: number;
}

async function centreOf(element: Locator): Promise<Point> {
  const { x, y, width, height } = (await element.boundingBox()) ?? {
    x: Number.NaN,
    y: Number.NaN,
    width: 0,
    height: 0,
  };
  return { x: x + width / 2, y: y + height / 2 };
}

/** Moves fingers from one point to another each, in steps. */
async function drag(page: Page, fingers: readonly (readonly [from: Point, to: Point])[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const at = (part: number) =>
    fingers.map(([from, to], id) => ({
      id,
      x: from.x + (to.x - from.x) * part,
      y: from.y + (to.y - from.y) * part,
    }));
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
  for (let step = 1; step <= 10; step += 1)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step / 10) });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await session.detach();
}
