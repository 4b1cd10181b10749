import { readFileSync } from 'node:fs';
import { By, Key, type WebDriver, type WebElement } from 'selenium-webdriver';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addDays, todayInLondon } from '../../domain/calendar-date.ts';
import { findFirefox, findWebKit } from '../../scripts/engines.ts';
import { BENIDORM_BY_PRICE, benidormName } from '../fixtures/market.ts';
import { marketFolder, type RunningSkylark, startSkylark } from '../fixtures/running-skylark.ts';
import { openFirefox } from './firefox.ts';
import { openWebKit } from './webkit.ts';

/* The main journeys on the built page in engines other than Chromium, which tests/e2e uses. */

const CHEAPEST_FIRST = BENIDORM_BY_PRICE.map(benidormName);
const SETTINGS = { SAMPLE_INVENTORY: 'off', ALERT_QUIET_HOURS: 'none' };

const firefox = findFirefox();
const webKit = findWebKit();

describe.skipIf(firefox === null)('In Firefox', () => journeys('Firefox', () => openFirefox(firefox ?? '')));
describe.skipIf(webKit === null)('In WebKitGTK', () =>
  journeys('WebKitGTK', () => openWebKit(webKit?.driver ?? '', webKit?.xvfb ?? '')),
);

function journeys(
  name: 'Firefox' | 'WebKitGTK',
  openBrowser: () => Promise<{ driver: WebDriver; close: () => Promise<void> }>,
): void {
  let driver: WebDriver;
  let close: () => Promise<void>;
  let folder: Awaited<ReturnType<typeof marketFolder>>;
  let skylark: RunningSkylark;

  beforeAll(async () => {
    folder = await marketFolder();
    skylark = await startSkylark(folder.dataDir, SETTINGS);
    ({ driver, close } = await openBrowser());
  });

  afterAll(async () => {
    await close?.();
    await skylark?.stop();
    await folder?.remove();
  });

  beforeEach(async () => {
    await resize(1280);
    await open('/');
    await driver.executeScript('localStorage.clear()');
  });

  it('is of the version that the README names, or newer', async () => {
    const version = (await driver.getCapabilities()).getBrowserVersion() ?? '';
    process.stdout.write(`${name} ${version}\n`);
    const sentence = /journeys in Firefox (?<Firefox>[\d.]+) and WebKitGTK (?<WebKitGTK>[\d.]+) or newer/;
    const oldest = sentence.exec(readFileSync('README.md', 'utf8'))?.groups?.[name];
    expect(oldest).toBeDefined();
    expect(version.localeCompare(oldest ?? '', 'en', { numeric: true })).toBeGreaterThanOrEqual(0);
  });

  it('searches by mouse, sorts, pages and goes back', async () => {
    await searchBenidorm();
    await driver.findElement(By.xpath('//option[.="Price high to low"]')).click();
    await expect.poll(hotels).toEqual(CHEAPEST_FIRST.toReversed().slice(0, 10));
    await press('button', 'Next');
    await text('Showing 11 to 20 of 23 results');
    await driver.navigate().back();
    await text('Showing 1 to 10 of 23 results');
    await driver.navigate().back();
    await expect.poll(hotels).toEqual(CHEAPEST_FIRST.slice(0, 10));
  });

  it('picks a date by keyboard and searches for it', async () => {
    await (await find('input', 'When')).sendKeys(Key.ENTER);
    await find('[role="dialog"] [data-day] button:focus', '');
    await driver.actions().sendKeys(Key.ARROW_DOWN, Key.ARROW_RIGHT, Key.ENTER).perform();
    await hidden('[role="dialog"]');
    await searchBenidorm();
    expect(await driver.getCurrentUrl()).toContain(`date=${addDays(todayInLondon(Date.now()), 9)}`);
  });

  it('filters by stars, and removes the filter by its chip', async () => {
    await searchBenidorm();
    await press('input', '4 stars');
    await text('Showing 1 to 9 of 9 results');
    await press('button', 'Remove filter');
    await text('Showing 1 to 10 of 23 results');
  });

  it('compares the holidays of a shortlist', async () => {
    await searchBenidorm();
    for (const name of CHEAPEST_FIRST.slice(0, 2)) await press('button', `Save ${name}`);
    await press('a', 'Shortlist (2)');
    for (const name of CHEAPEST_FIRST.slice(0, 2)) await find('th a', name);
  });

  it('signs up for an alert in the dialog, and closes it with Escape', async () => {
    await searchBenidorm();
    await press('button', 'Set up price alerts');
    await (await find('dialog input', 'Your phone number')).sendKeys('07700 900123');
    await press('button', 'Track with WhatsApp');
    await text('Keep an eye on your WhatsApp for updates and notifications about this holiday');
    await driver.actions().sendKeys(Key.ESCAPE).perform();
    await hidden('dialog[open]');
    expect(await driver.switchTo().activeElement().getAccessibleName()).toMatch(/^Set up price alerts/);
  });

  it('shows the last results while the server is away, and new ones once it is back', async () => {
    await searchBenidorm();
    await waitFor(async () =>
      expect(await driver.executeScript('return navigator.serviceWorker.controller?.state')).toBe(
        'activated',
      ),
    );
    await skylark.stop();
    try {
      await driver.executeScript('location.reload()');
      await text('These prices are as of');
      await expect.poll(hotels).toEqual(CHEAPEST_FIRST.slice(0, 10));
    } finally {
      const { port } = new URL(skylark.url);
      skylark = await startSkylark(folder.dataDir, { ...SETTINGS, PORT: port });
    }
    await press('button', 'Search again');
    await text('Showing 1 to 10 of 23 results');
    expect(await bodyText()).not.toContain('These prices are as of');
  });

  it('fits the width of a phone', async () => {
    await resize(375);
    for (const path of ['/', '/explore', '/results?country=Spain&from=LGW']) {
      await open(path);
      await find(path.startsWith('/results') ? 'article a' : 'h1', '');
      expect(
        await driver.executeScript('return [innerWidth, document.documentElement.scrollWidth > innerWidth]'),
      ).toEqual([375, false]);
    }
  });

  const resize = (width: number) => driver.manage().window().setRect({ x: 0, y: 0, width, height: 900 });
  const open = (path: string) => driver.get(skylark.url + path);
  const bodyText = () => driver.executeScript<string>('return document.body.innerText');
  const text = (words: string) =>
    waitFor(async () => expect((await bodyText()).includes(words), words).toBe(true));
  const hidden = (selector: string) =>
    waitFor(async () => expect(await driver.findElements(By.css(selector))).toEqual([]));

  async function hotels(): Promise<string[]> {
    const headings = await driver.findElements(By.css('article h3'));
    return Promise.all(headings.map((heading) => heading.getText()));
  }

  /** The first visible match whose accessible name starts with these words, once there is one. */
  function find(selector: string, words: string): Promise<WebElement> {
    return waitFor(async () => {
      for (const element of await driver.findElements(By.css(selector))) {
        const name = await element.getAccessibleName();
        if (name.startsWith(words) && (await element.isDisplayed())) return element;
      }
      throw new Error(`No ${selector} is called "${words}"`);
    });
  }

  const press = (selector: string, words: string) =>
    waitFor(async () => (await find(selector, words)).click());

  async function pick(field: string, typed: string, option: string): Promise<void> {
    await (await find('input', field)).sendKeys(typed);
    await press('[role="option"]', option);
  }

  async function searchBenidorm(): Promise<void> {
    await pick('Destination', 'benid', 'Benidorm');
    await pick('Departure airport', 'LGW', 'London Gatwick');
    await press('button', 'Search');
    await text('Showing 1 to 10 of 23 results');
  }
}

function waitFor<Result>(work: () => Promise<Result>): Promise<Result> {
  return vi.waitFor(work, 30_000);
}
