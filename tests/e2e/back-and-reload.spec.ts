import { expect, type Page } from '@playwright/test';
import { resultsUrl } from './support/another-search.ts';
import { test } from './support/another-server.ts';
import { airportField, cards, destinationField, pick, searchButton } from './support/journeys.ts';
import { test as skylark } from './support/skylark.ts';

/* History, scroll position, parts of an old build, and input methods. */

const modal = (page: Page) => page.getByRole('dialog', { name: 'Watch this' });

async function openModal(page: Page): Promise<void> {
  await cards(page)
    .first()
    .getByRole('button', { name: /Set up price alerts/ })
    .click();
  await expect(modal(page)).toBeVisible();
}

test('Back closes an open dialog first, and the next Back leaves the page', async ({ page }) => {
  await page.goto('/');
  await pick(page, destinationField(page), 'Benidorm', /^Benidorm/);
  await pick(page, airportField(page), 'Gatwick', /Gatwick/);
  await searchButton(page).click();
  await expect(cards(page)).toHaveCount(10);
  await openModal(page);
  await page.goBack();
  await expect(modal(page)).toBeHidden();
  await expect(page).toHaveURL(/\/results\?/);
  await expect(cards(page)).toHaveCount(10);
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
});

test('a closed dialog leaves no extra step for Back', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByLabel('When')).not.toHaveValue('');
  await page.getByLabel('When').click();
  const calendar = page.getByRole('dialog', { name: 'Choose a departure date' });
  await calendar.getByRole('button', { name: 'Next month' }).click();
  await page.goBack();
  await expect(calendar).toBeHidden();
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  await openModal(page);
  await modal(page).getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page).toHaveURL(/page=2/);
  await openModal(page);
  await modal(page).getByRole('button', { name: 'Close' }).click();
  await page.goBack();
  await expect(page).not.toHaveURL(/page=2/);
  await expect(cards(page)).toHaveCount(10);
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
});

test('shows another order and another page even if the browser refuses history calls', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['pushState', 'replaceState'] as const)
      history[name] = () => {
        throw new DOMException('Too many calls', 'SecurityError');
      };
  });
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  await openModal(page);
  await modal(page).getByRole('button', { name: 'Close' }).click();
  await expect(modal(page)).toBeHidden();
  await page.getByLabel('Sort by').selectOption('stars-asc');
  await expect(page).toHaveURL(/sort=stars-asc/);
  await expect(cards(page)).toHaveCount(10);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(page.getByRole('heading', { name: /^Showing 11 to/ })).toBeVisible();
});

test('keeps the scroll position, to within a card, after a reload and after Back', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  const scroll = () => page.evaluate(() => Math.round(scrollY));
  // The page stores its scroll position shortly after scrolling has ended.
  const placeAtRest = async () => {
    const remembered = () => Object.values(sessionStorage).includes(String(Math.round(scrollY)));
    await expect.poll(() => page.evaluate(remembered)).toBe(true);
    return scroll();
  };
  const fifth = cards(page).nth(4);
  await fifth.scrollIntoViewIfNeeded();
  // Browsers only estimate the heights of cards that they have not shown yet.
  const card = await fifth.evaluate((element) => element.clientHeight);
  const before = await placeAtRest();
  expect(before).toBeGreaterThan(card);
  await page.reload();
  await expect(cards(page)).toHaveCount(10);
  await expect.poll(async () => Math.abs((await scroll()) - before)).toBeLessThan(card);
  await page.getByRole('button', { name: 'Next' }).scrollIntoViewIfNeeded();
  const atNext = await placeAtRest();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page).toHaveURL(/page=2/);
  await page.goBack();
  await expect(page).not.toHaveURL(/page=2/);
  await expect.poll(async () => Math.abs((await scroll()) - atNext)).toBeLessThan(card);
});

skylark('addresses may end in a slash', async ({ page }) => {
  await page.goto(resultsUrl().replace('/results', '/results/'));
  await expect(cards(page).first()).toBeVisible();
  await page.goto('/explore/?from=LGW');
  await expect(page.getByRole('heading', { level: 1, name: 'Explore' })).toBeVisible();
});

test('fetches a failed part again, and offers a reload each time that fails too', async ({ page }) => {
  const part = /\/assets\/AlertModal-[^?]*\.js/;
  const asked: string[] = [];
  await page.route(part, (route) => {
    asked.push(new URL(route.request().url()).search);
    return route.fulfill({ status: 404, body: 'gone' });
  });
  await page.goto(resultsUrl());
  const open = cards(page)
    .first()
    .getByRole('button', { name: /Set up price alerts/ });
  const reload = page.getByRole('button', { name: 'Reload the page' });
  for (let times = 0; times < 2; times += 1) {
    await expect(cards(page)).toHaveCount(10);
    await open.click();
    await expect(page.getByText(/^Part of this page couldn’t be loaded/)).toBeVisible();
    expect(new Set(asked.splice(0))).toEqual(new Set(['', '?again']));
    await reload.click();
    await expect(reload).toBeHidden();
  }
  await page.unroute(part);
  await page.route(part, (route) =>
    route.request().url().endsWith('?again') ? route.continue() : route.abort(),
  );
  await expect(cards(page)).toHaveCount(10);
  await open.click();
  await expect(page.getByRole('dialog', { name: 'Watch this' })).toBeVisible();
  await expect(reload).toBeHidden();
});

test('offers a reload if Explore or the page’s own script is missing', async ({ page }) => {
  const reload = page.getByRole('button', { name: 'Reload the page' });
  await page.route('**/assets/ExploreContent-*', (route) => route.fulfill({ status: 404, body: 'gone' }));
  await page.goto('/explore');
  await expect(reload).toBeVisible();
  await page.unroute('**/assets/ExploreContent-*');
  await page.route('**/assets/index-*.js', (route) => route.abort(), { times: 1 });
  await page.goto(resultsUrl());
  await reload.click();
  await expect(cards(page)).toHaveCount(10);
});

test('copies the link if the share dialog fails', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(() => {
    navigator.share = () => Promise.reject(new DOMException('no target', 'NotAllowedError'));
  });
  await page.goto(resultsUrl());
  await expect(cards(page)).toHaveCount(10);
  await page.getByRole('button', { name: /^Share/ }).click();
  await expect(page.getByText('Link copied.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/results?country=Spain');
});

test('Enter that ends a composition picks nothing, even if only its key code shows the composition', async ({
  page,
}) => {
  await page.goto('/');
  const field = destinationField(page);
  await field.fill('beni');
  await expect(page.getByRole('option').first()).toBeVisible();
  for (const composing of [{ isComposing: true }, { keyCode: 229 }]) {
    await field.dispatchEvent('keydown', { key: 'Enter', code: 'Enter', ...composing });
    await expect(field).toHaveValue('beni');
    await expect(page.getByRole('option').first()).toBeVisible();
  }
});

test('holding Backspace until the text is empty keeps the chosen airport', async ({ page }) => {
  await page.goto('/');
  await pick(page, airportField(page), 'Gatwick', /Gatwick/);
  const chip = page.getByRole('button', { name: 'Remove Gatwick' });
  await airportField(page).fill('lu');
  await airportField(page).focus();
  for (let press = 1; press <= 5; press += 1) await page.keyboard.down('Backspace');
  await page.keyboard.up('Backspace');
  await expect(airportField(page)).toHaveValue('');
  await expect(chip).toBeVisible();
  await page.keyboard.press('Backspace');
  await expect(chip).toBeHidden();
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 375, height: 800 } });

  test('a dialog closes by the browser’s own close request, without a history entry', async ({ page }) => {
    await page.goto(resultsUrl());
    await expect(cards(page)).toHaveCount(10);
    const entries = await page.evaluate(() => history.length);
    await openModal(page);
    expect(await page.evaluate(() => history.length)).toBe(entries);
    // Escape and Android's Back are the same request.
    await page.keyboard.press('Escape');
    await expect(modal(page)).toBeHidden();
    await page.goto('/');
    await page.getByLabel('When').click();
    const calendar = page.getByRole('dialog', { name: 'Choose a departure date' });
    await expect(calendar).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(calendar).toBeHidden();
  });

  test('no control has letters so small that iOS zooms in on it', async ({ page }) => {
    await page.goto(resultsUrl());
    await expect(cards(page)).toHaveCount(10);
    const sizes = await page
      .locator('select, input')
      .evaluateAll((controls) =>
        controls.map((control) => Number.parseFloat(getComputedStyle(control).fontSize)),
      );
    expect(sizes.length).toBeGreaterThan(5);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16);
  });
});
