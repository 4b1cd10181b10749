import type { Browser, Page } from '@playwright/test';
import { openSlowPhone } from './slow-phone.ts';
import { longestTask, waitUntilQuiet } from './watch-page.ts';

/**
 * Measurements of a search, from the form to ten painted cards, in milliseconds. The layout shift has no
 * unit.
 */
export interface Search {
  /** From the response's last byte to the frame that shows ten cards. */
  answerToCards: number;
  /** From the response's last byte to the frame that shows the first three cards. */
  answerToFirst: number;
  /** Script time to reorder the loaded results. */
  sortScript: number;
  longestTask: number;
  /** The longest time from an interaction to the next paint. */
  interaction: number;
  layoutShift: number;
}

/** Searches Benidorm from Gatwick on a slow phone with a fast network. */
export async function measureSearch(browser: Browser, url: string): Promise<Search> {
  const page = await openFast(browser, url);
  await pick(page, 'Destination', 'Benidorm', /^Benidorm/);
  await pick(page, 'Departure airport', 'Gatwick', /Gatwick/);
  await page.evaluate(() => {
    const seen = window as unknown as { cardsAt: number; firstAt?: number };
    const watch = new MutationObserver(() => {
      const cards = document.querySelectorAll('article').length;
      if (cards >= 3 && seen.firstAt === undefined) {
        seen.firstAt = Number.NaN;
        requestAnimationFrame(() => setTimeout(() => (seen.firstAt = performance.now())));
      }
      if (cards < 10) return;
      watch.disconnect();
      requestAnimationFrame(() => setTimeout(() => (seen.cardsAt = performance.now())));
    });
    watch.observe(document.body, { childList: true, subtree: true });
  });
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.waitForFunction(() => 'cardsAt' in window);
  await waitUntilQuiet(page, 1_500);
  const { noted, answerToCards, answerToFirst } = await page.evaluate(() => {
    const asked = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/graphql'));
    const { responseEnd } = asked[0] as PerformanceResourceTiming;
    const { cardsAt, firstAt } = window as unknown as { cardsAt: number; firstAt: number };
    return {
      noted: window.noted,
      answerToCards: cardsAt - responseEnd,
      answerToFirst: firstAt - responseEnd,
    };
  });
  const sortScript = await scriptOf(page, () => page.getByLabel('Sort by').selectOption('stars-desc'));
  await page.context().close();
  return {
    answerToCards,
    answerToFirst,
    sortScript,
    longestTask: longestTask(noted),
    interaction: noted.interaction,
    layoutShift: noted.layoutShift,
  };
}

/** The milliseconds of script that an action causes until the page is quiet. */
async function scriptOf(page: Page, act: () => Promise<unknown>): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const script = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0);
  };
  const before = await script();
  await act();
  await waitUntilQuiet(page, 1_500);
  return (await script()) - before;
}

/**
 * Types texts into the destination field letter by letter. Returns the milliseconds between each keystroke
 * and the painted list.
 */
export async function measureKeystrokes(
  browser: Browser,
  url: string,
  texts: readonly string[],
): Promise<number[]> {
  const page = await openFast(browser, url);
  const field = page.getByRole('combobox', { name: 'Destination' });
  await field.click();
  // Types once before measuring, so that the list is loaded.
  await field.fill('spa');
  await page.getByRole('option').first().waitFor({ timeout: 60_000 });
  const keystrokes: number[] = [];
  for (const text of texts) {
    await field.fill('');
    for (const letter of text) {
      // The page must already listen when the key is pressed.
      await page.evaluate(listenForKey);
      await page.keyboard.press(letter === ' ' ? 'Space' : letter);
      keystrokes.push(await page.evaluate(() => window.listPainted));
    }
  }
  await page.context().close();
  return keystrokes;
}

declare global {
  interface Window {
    /** Milliseconds from the next key press to the frame after the list's last change. */
    listPainted: Promise<number>;
  }
}

/** Listens for the next key press. This function runs in the page. */
function listenForKey(): void {
  /** A list that has not changed for this long counts as final. */
  const SETTLED_MS = 250;
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
        // Waits for a paint even if the list does not change.
        afterPaint();
        const watch = new MutationObserver(afterPaint);
        watch.observe(document.body, { childList: true, subtree: true, characterData: true });
        const waiting = setInterval(() => {
          if (paintedAt === null || performance.now() - paintedAt < SETTLED_MS) return;
          clearInterval(waiting);
          watch.disconnect();
          resolve(paintedAt - event.timeStamp);
        }, SETTLED_MS / 2);
      },
      { capture: true, once: true },
    );
  });
}

async function openFast(browser: Browser, url: string): Promise<Page> {
  const page = await openSlowPhone(browser, 'fast');
  await page.goto(url, { waitUntil: 'networkidle' });
  return page;
}

async function pick(page: Page, field: string, text: string, option: RegExp): Promise<void> {
  const box = page.getByRole('combobox', { name: field });
  await box.click();
  await box.fill(text);
  await page.getByRole('option', { name: option }).first().click();
}
