import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findFirefox } from '../../scripts/firefox.ts';
import { type StaticHost, startStaticHost } from '../e2e/support/static-host.ts';
import { type MockServer, startMockServer } from '../mock-server/mock-server.ts';

/* The main journeys in the system's Firefox over WebDriver BiDi; the other browser tests use Chromium. */

let browser: Browser;
let mock: MockServer;
let host: StaticHost;
let page: Page;

beforeAll(async () => {
  const executablePath = findFirefox();
  if (executablePath === null)
    throw new Error('There is no Firefox: npm test installs one, or says why not.');
  mock = await startMockServer();
  host = await startStaticHost('dist/web', { '/config.json': JSON.stringify(mock.config) });
  browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true });
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await host?.close();
  await mock?.close();
});

beforeEach(async () => {
  mock.reset();
  await page?.close();
  page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
});

describe('In Firefox', () => {
  it('searches by mouse, then sorts and pages the results', async () => {
    await page.goto(host.url);
    await searchBenidorm();
    await text('Showing 1 to 10 of 23 results');
    expect(await count('article')).toBe(10);
    await choose('Sort by', 'price-desc');
    await page.waitForFunction(() => document.querySelector('article strong')?.textContent === '£950');
    await press('button', 'Next');
    await text('Showing 11 to 20 of 23 results');
    await page.goBack();
    await text('Showing 1 to 10 of 23 results');
    expect(mock.searches).toHaveLength(1);
  });

  it('picks a date by keyboard and searches for it', async () => {
    await page.goto(host.url);
    await field('When').then((when) => when.focus());
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role="dialog"] [data-day] button:focus');
    for (const key of ['ArrowDown', 'ArrowRight', 'Enter'] as const) await page.keyboard.press(key);
    await page.waitForFunction(() => document.querySelector('[role="dialog"]') === null);
    await searchBenidorm();
    await text('Showing 1 to 10 of 23 results');
    const tomorrow = new Date(Date.now() + 86_400_000).toLocaleDateString('en-CA', {
      timeZone: 'Europe/London',
    });
    const picked = new Date(Date.parse(tomorrow) + 8 * 86_400_000).toISOString().slice(0, 10);
    expect(mock.searches[0]?.body.variables.filters.startDate).toBe(picked);
  });

  it('signs up for an alert in the dialog, and closes it with Escape', async () => {
    await page.goto(host.url);
    await searchBenidorm();
    await text('Showing 1 to 10 of 23 results');
    await press('article button', 'Set up price alerts');
    await text('Watch this');
    await field('Your phone number').then((phone) => phone.type('07700 900123'));
    await press('button', 'Track with WhatsApp');
    await text('Keep an eye on your WhatsApp for updates and notifications about this holiday');
    expect(mock.signUps).toHaveLength(1);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('dialog[open]') === null);
    const focused = await page.evaluate(() => document.activeElement?.textContent);
    expect(focused).toMatch(/^Set up price alerts/);
  });

  it('shows the message of a failed search, and keeps the form', async () => {
    mock.script.search = () => ({ status: 500, body: 'the store is away' });
    await page.goto(host.url);
    await searchBenidorm();
    await text('Failed to search holidays. Please try again.');
    await text('API Error: 500 - the store is away');
    mock.reset();
    await press('button', 'Try again');
    await press('button[type="submit"]', 'Search');
    await text('Showing 1 to 10 of 23 results');
  });

  it('fits the width of a phone', async () => {
    await page.setViewport({ width: 360, height: 740 });
    for (const address of ['/', '/results?country=Spain&from=LGW']) {
      await page.goto(host.url + address);
      if (address !== '/') await text('Showing 1 to 10 of 23 results');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    }
  });
});

async function searchBenidorm(): Promise<void> {
  await pick('Destination', 'benid', 'Benidorm, Costa Blanca, Spain');
  await pick('Departure airport', 'LGW', 'Gatwick LGW');
  await press('button[type="submit"]', 'Search');
}

async function pick(label: string, typed: string, option: string): Promise<void> {
  const input = await field(label);
  await input.click();
  await input.type(typed);
  await press('[role="option"]', option);
}

/** The control with a label. */
async function field(label: string): Promise<ElementHandle<Element>> {
  const handle = await page.waitForFunction(
    (words) => {
      const labels = [...document.querySelectorAll('label')];
      const control = labels.find((one) => one.textContent?.trim() === words)?.control;
      return control && !('disabled' in control && control.disabled) ? control : null;
    },
    {},
    label,
  );
  return handle as ElementHandle<Element>;
}

async function choose(label: string, value: string): Promise<void> {
  await (await field(label)).select(value);
}

/** Clicks the first match whose text begins with the words. */
async function press(selector: string, words: string): Promise<void> {
  const handle = await page.waitForFunction(
    (css, begins) =>
      [...document.querySelectorAll<HTMLElement>(css)].find(
        (one) => one.textContent?.trim().startsWith(begins) && !one.matches(':disabled'),
      ) ?? null,
    {},
    selector,
    words,
  );
  await (handle as ElementHandle<Element>).click();
}

async function text(words: string): Promise<void> {
  // biome-ignore lint/performance/useDomNodeTextContent: hidden text must not count.
  await page.waitForFunction((wanted) => document.body.innerText.includes(wanted), {}, words);
}

function count(selector: string): Promise<number> {
  return page.evaluate((css) => document.querySelectorAll(css).length, selector);
}
