import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { hotelPath } from '../../../domain/hotel-path.ts';
import { benidormName } from '../../fixtures/market.ts';
import { resultsUrl } from './another-search.ts';
import type { BadNetwork, Fault } from './bad-network.ts';
import { airportField, cards, destinationField, pick } from './journeys.ts';

/** A screen: its URL, what a visitor does there, and what then is shown. */
export interface Screen {
  url: string;
  /** Runs again after a reload. */
  act?: (page: Page) => Promise<void>;
  shown: (page: Page) => Locator;
}

const click = (name: RegExp) => async (page: Page) => {
  await cards(page).first().getByRole('button', { name }).click();
};

/** Every screen and dialog whose code or data a visitor waits for. */
export const SCREENS: Readonly<Record<string, Screen>> = {
  'the form': {
    url: '/',
    async act(page) {
      await pick(page, destinationField(page), 'Benidorm', /^Benidorm/);
      await pick(page, airportField(page), 'LGW', /Gatwick/);
    },
    shown: (page) => page.getByRole('button', { name: 'Search', exact: true, disabled: false }),
  },
  'the calendar': {
    url: '/',
    act: (page) => page.getByLabel('When').click(),
    shown: (page) => page.getByRole('grid').first(),
  },
  results: { url: resultsUrl(), shown: (page) => cards(page).first() },
  filters: {
    url: resultsUrl(),
    async act(page) {
      await page.setViewportSize({ width: 1024, height: 768 });
      await page.getByRole('button', { name: /^Filters/ }).click();
    },
    shown: (page) => page.getByRole('dialog', { name: 'Filters' }),
  },
  'a filter': {
    url: resultsUrl({ board: 'AI' }),
    shown: (page) => page.getByRole('button', { name: /All-Inclusive/ }).first(),
  },
  alerts: {
    url: resultsUrl(),
    act: click(/^Set up price alerts/),
    shown: (page) => page.getByRole('dialog', { name: 'Watch this' }),
  },
  'a hotel': {
    url: resultsUrl().replace('/results', hotelPath('Spain', benidormName(1), 'BEN1')),
    // Without its script, the hotel's page has a link to the card.
    async act(page) {
      await page.getByText('Set up price alerts', { exact: true }).first().click();
      const card = page.locator('article[aria-current]');
      await page.getByRole('dialog').or(card).first().waitFor();
      if (await card.isVisible()) await card.getByText('Set up price alerts', { exact: true }).click();
    },
    shown: (page) => page.getByRole('dialog', { name: 'Watch this' }),
  },
  'prices by month': {
    url: resultsUrl(),
    act: (page) => page.getByRole('button', { name: 'Prices by month' }).click(),
    shown: (page) => page.getByRole('dialog').getByText(/cheapest in/),
  },
  Explore: {
    url: '/explore?from=LGW',
    shown: (page) => page.locator('.explore-place:not(.is-skeleton)').first(),
  },
  'the shortlist': {
    url: '/shortlist',
    shown: (page) => page.getByRole('heading', { name: 'You haven’t saved a holiday yet' }),
  },
};

const RECOVERY = /^(Try again|Search again|Reload the page)$/;
const MAX_RECOVERIES = 4;
const ACTION_MS = 25_000;

/** A fault of the network in one resource, and whether the service worker has kept the page before. */
export interface Trouble {
  resource: string;
  fault: Fault;
  hasWorker: boolean;
}

/** Opens a screen as a new visitor, with or without trouble. Fails if the screen is not reached. */
export async function visit(
  browser: Browser,
  network: BadNetwork,
  screen: Screen,
  { resource, fault, hasWorker }: Partial<Trouble> = {},
): Promise<void> {
  const serviceWorkers = hasWorker === true ? 'allow' : 'block';
  const context = await browser.newContext({ baseURL: network.url, serviceWorkers });
  const page = await context.newPage();
  page.setDefaultTimeout(ACTION_MS);
  try {
    if (hasWorker === true) {
      await keepPage(page);
      // The worker keeps hotels that were opened.
      if (screen.url.startsWith('/hotel/')) await page.goto(screen.url);
    }
    network.requested.clear();
    if (resource !== undefined && fault !== undefined) network.failOnce(resource, fault);
    await page.goto(screen.url);
    await reach(page, screen);
  } finally {
    await context.close();
  }
}

/** Searches, so that the worker keeps the page. */
export async function keepPage(page: Page): Promise<void> {
  await page.goto(resultsUrl());
  await cards(page).first().waitFor();
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
}

/**
 * Does what a visitor does: acts, and presses a button that offers to recover, until the screen shows what it should. Never
 * reloads by itself, and sees no page of a proxy.
 */
async function reach(page: Page, { act, shown }: Screen): Promise<void> {
  const offer = page.getByRole('button', { name: RECOVERY }).first();
  for (let pressed = 0; pressed <= MAX_RECOVERIES; pressed += 1) {
    const acted = act?.(page).catch(() => {});
    await Promise.race([acted, offer.waitFor().catch(() => {})]);
    await expect(shown(page).or(offer).first()).toBeVisible();
    await expect(page.getByText(/Bad gateway|Log in to our Wi-Fi/)).toHaveCount(0);
    if (await shown(page).isVisible()) return;
    // The screen may appear first, and a dialog then covers the button.
    await Promise.race([offer.click().catch(() => {}), shown(page).waitFor()]);
    // What was done before the button may be enough now.
    await acted;
    await shown(page)
      .or(offer)
      .first()
      .waitFor()
      .catch(() => {});
    if (await shown(page).isVisible()) return;
  }
  await expect(shown(page)).toBeVisible();
}
