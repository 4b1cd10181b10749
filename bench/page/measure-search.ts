import type { Browser, Page } from '@playwright/test';
import { openSlowPhone } from './slow-phone.ts';
import { longestTask } from './watch-page.ts';

/** One search from the form to ten painted cards, in milliseconds; the shift has no unit. */
export interface Search {
  /** From the last byte of the answer to the frame that shows ten cards. */
  answerToCards: number;
  longestTask: number;
  layoutShift: number;
}

/** What a visitor types, and what a keystroke took until its list was painted, in milliseconds. */
export interface Keystroke {
  typed: string;
  ms: number;
}

/** Searches Benidorm from Gatwick on a slow phone, with the network out of the way. */
export async function measureSearch(browser: Browser, address: string): Promise<Search> {
  const page = await openFast(browser, address);
  await pick(page, 'Destination', 'Benidorm', /^Benidorm/);
  await pick(page, 'Departure airport', 'Gatwick', /Gatwick/);
  await page.evaluate(() => {
    const seen = window as unknown as { cardsAt: number };
    const watch = new MutationObserver(() => {
      if (document.querySelectorAll('article').length < 10) return;
      watch.disconnect();
      requestAnimationFrame(() => setTimeout(() => (seen.cardsAt = performance.now())));
    });
    watch.observe(document.body, { childList: true, subtree: true });
  });
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.waitForFunction(() => 'cardsAt' in window);
  await page.waitForTimeout(1_500);
  const { noted, answerToCards } = await page.evaluate(() => {
    const asked = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/graphql'));
    const { responseEnd } = asked[0] as PerformanceResourceTiming;
    return {
      noted: window.noted,
      answerToCards: (window as unknown as { cardsAt: number }).cardsAt - responseEnd,
    };
  });
  await page.context().close();
  return { answerToCards, longestTask: longestTask(noted), layoutShift: noted.layoutShift };
}

/** Types texts into the destination field a letter at a time, each letter after the last one's list stands still. */
export async function measureKeystrokes(
  browser: Browser,
  address: string,
  texts: readonly string[],
): Promise<Keystroke[]> {
  const page = await openFast(browser, address);
  const field = page.getByRole('combobox', { name: 'Destination' });
  await field.click();
  // Until the list is here, and its code warm, nothing is measured.
  await field.fill('spa');
  await page.getByRole('option').first().waitFor({ timeout: 60_000 });
  const keystrokes: Keystroke[] = [];
  for (const text of texts) {
    await field.fill('');
    for (const [end, letter] of [...text].entries()) {
      // The page listens before the key is pressed: a key that comes first would be waited for in vain.
      await page.evaluate(listenForKey);
      await page.keyboard.press(letter === ' ' ? 'Space' : letter);
      keystrokes.push({ typed: text.slice(0, end + 1), ms: await page.evaluate(() => window.listPainted) });
    }
  }
  await page.context().close();
  return keystrokes;
}

declare global {
  interface Window {
    /** Milliseconds from the next key press to the frame after the list last changed for it. */
    listPainted: Promise<number>;
  }
}

/** In the page: begins to listen for the next key press. */
function listenForKey(): void {
  /** A list that has not changed for so long, in milliseconds, stands still. */
  const STILL = 250;
  window.listPainted = new Promise((resolve) => {
    document.addEventListener(
      'keydown',
      (event) => {
        let paintedAt: number | null = null;
        let frame = 0;
        const afterPaint = () => {
          paintedAt = null;
          cancelAnimationFrame(frame);
          frame = requestAnimationFrame(() => setTimeout(() => (paintedAt = performance.now())));
        };
        // A page that is busy has painted nothing yet, however long ago the key was pressed.
        afterPaint();
        const watch = new MutationObserver(afterPaint);
        watch.observe(document.body, { childList: true, subtree: true, characterData: true });
        const waiting = setInterval(() => {
          if (paintedAt === null || performance.now() - paintedAt < STILL) return;
          clearInterval(waiting);
          watch.disconnect();
          resolve(paintedAt - event.timeStamp);
        }, STILL / 2);
      },
      { capture: true, once: true },
    );
  });
}

async function openFast(browser: Browser, address: string): Promise<Page> {
  const page = await openSlowPhone(browser, 'fast');
  await page.goto(address, { waitUntil: 'networkidle' });
  return page;
}

async function pick(page: Page, field: string, text: string, option: RegExp): Promise<void> {
  const box = page.getByRole('combobox', { name: field });
  await box.click();
  await box.fill(text);
  await page.getByRole('option', { name: option }).first().click();
}
