import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { findFirefox } from '../../scripts/firefox.ts';
import { type StaticHost, startStaticHost } from '../e2e/support/static-host.ts';
import { type MockServer, startMockServer } from '../mock-server/mock-server.ts';
import { type FirefoxPage, KEYS, openFirefox } from './firefox-page.ts';

/* The main journeys in the system's Firefox over WebDriver BiDi. All other browser tests use Chromium. */

let mock: MockServer;
let host: StaticHost;
let page: FirefoxPage;

beforeAll(async () => {
  const executablePath = findFirefox();
  if (executablePath === null)
    throw new Error('There is no Firefox: npm test installs one, or says why not.');
  mock = await startMockServer();
  host = await startStaticHost('dist/web', { '/config.json': JSON.stringify(mock.config) });
  page = await openFirefox(executablePath);
}, 120_000);

afterAll(async () => {
  await page?.close();
  await host?.close();
  await mock?.close();
});

beforeEach(async () => {
  mock.reset();
  await page.reset();
  await page.resize(1280, 900);
});

describe('In Firefox', () => {
  it('searches by mouse, then sorts and pages the results', async () => {
    await page.goto(host.url);
    await searchBenidorm();
    await text('Showing 1 to 10 of 23 results');
    await isTrue(() => document.querySelectorAll('article').length === 10);
    await choose('price-desc');
    await isTrue(() => document.querySelector('article strong')?.textContent === '£950');
    await press('button', 'Next');
    await text('Showing 11 to 20 of 23 results');
    await page.goBack();
    await text('Showing 1 to 10 of 23 results');
    expect(mock.searches).toHaveLength(1);
  });

  it('picks a date by keyboard and searches for it', async () => {
    await page.goto(host.url);
    await isTrue(() => {
      const when = document.querySelector<HTMLInputElement>('[aria-haspopup="dialog"]');
      when?.focus();
      return document.activeElement === when;
    });
    await page.type(KEYS.Enter);
    await isTrue(() => document.querySelector('[role="dialog"] [data-day] button:focus') !== null);
    await page.type(KEYS.ArrowDown + KEYS.ArrowRight + KEYS.Enter);
    await isTrue(() => document.querySelector('[role="dialog"]') === null);
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
    await page.click(controlOf, 'Your phone number');
    await page.type('07700 900123');
    await press('button', 'Track with WhatsApp');
    await text('Keep an eye on your WhatsApp for updates and notifications about this holiday');
    expect(mock.signUps).toHaveLength(1);
    await page.type(KEYS.Escape);
    await isTrue(() => document.querySelector('dialog[open]') === null);
    const focused = await page.evaluate(() => document.activeElement?.textContent);
    expect(focused).toMatch(/^Set up price alerts/);
  });

  it('shows a failed search’s message, and keeps the form', async () => {
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
    await page.resize(360, 740);
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
  await page.click(controlOf, label);
  await page.type(typed);
  await press('[role="option"]', option);
}

/** Returns the control with this label; null if it is missing or disabled. Runs in the page. */
function controlOf(label = ''): Element | null {
  const labels = [...document.querySelectorAll('label')];
  const control = labels.find((one) => one.textContent?.trim() === label)?.control ?? null;
  return control === null || control.matches(':disabled') ? null : control;
}

/** Selects the option with this value, and sends the event that a visitor would cause. */
async function choose(value: string): Promise<void> {
  await page.element((wanted = '') => document.querySelector(`option[value="${wanted}"]`), value);
  await page.evaluate((wanted = '') => {
    const option = document.querySelector<HTMLOptionElement>(`option[value="${wanted}"]`);
    if (option !== null) option.selected = true;
    option?.parentElement?.dispatchEvent(new Event('change', { bubbles: true }));
  }, value);
}

/** Clicks the first match whose text begins with these words. */
async function press(selector: string, words: string): Promise<void> {
  await page.click(
    (css = '', begins = '') =>
      [...document.querySelectorAll(css)].find(
        (one) => one.textContent.trim().startsWith(begins) && !one.matches(':disabled'),
      ),
    selector,
    words,
  );
}

async function text(words: string): Promise<void> {
  // biome-ignore lint/performance/useDomNodeTextContent: hidden text must not count.
  await isTrue((wanted = '') => document.body.innerText.includes(wanted), words);
}

/** Waits until a condition in the page is true. */
async function isTrue(condition: (...values: string[]) => boolean, ...values: string[]): Promise<void> {
  await vi.waitFor(async () => expect(await page.evaluate(condition, ...values)).toBe(true), 30_000);
}
