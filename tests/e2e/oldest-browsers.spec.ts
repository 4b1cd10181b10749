import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_PAGE } from './support/another-server.ts';
import { expect, test } from './support/skylark.ts';
import { walkJourneys } from './support/walk.ts';

/* The README's oldest browsers: Chrome and Edge 109, Firefox 115, Safari 16.4. */

/**
 * Features that newer browsers have and at least one of the oldest lacks, by MDN's browser compatibility
 * data.
 */
const NEWER = [
  'Array.fromAsync Array.prototype.toReversed Array.prototype.toSorted Array.prototype.toSpliced',
  'Array.prototype.with ArrayBuffer.prototype.resize ArrayBuffer.prototype.transfer Object.groupBy',
  'Map.groupBy Map.prototype.getOrInsert Map.prototype.getOrInsertComputed Promise.try Promise.withResolvers',
  'Set.prototype.difference Set.prototype.intersection Set.prototype.isDisjointFrom Set.prototype.isSubsetOf',
  'Set.prototype.isSupersetOf Set.prototype.symmetricDifference Set.prototype.union',
  'String.prototype.isWellFormed String.prototype.toWellFormed RegExp.escape Error.isError Math.sumPrecise',
  'Uint8Array.fromBase64 Uint8Array.prototype.toBase64 Uint8Array.prototype.toSorted Intl.DurationFormat',
  'Intl.Segmenter Iterator Float16Array URL.canParse URL.parse AbortSignal.any URLSearchParams.prototype.size',
  'Response.prototype.bytes Blob.prototype.bytes Element.prototype.checkVisibility Element.prototype.setHTML',
  'Element.prototype.moveBefore HTMLElement.prototype.showPopover HTMLElement.prototype.togglePopover',
  'HTMLDialogElement.prototype.requestClose Document.prototype.startViewTransition CloseWatcher',
  'requestIdleCallback scheduler navigation cookieStore',
].flatMap((line) => line.split(' '));

const ITERATOR_HELPERS = ['map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach', 'some'];

test('every journey works without what the oldest browsers lack', async ({ page }) => {
  test.setTimeout(120_000);
  await page.addInitScript(
    ({ names, helpers }) => {
      const iterators: object = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
      for (const helper of [...helpers, 'every', 'find']) Reflect.deleteProperty(iterators, helper);
      for (const name of names) {
        const path = name.split('.');
        const last = path.pop() ?? '';
        let owner: unknown = globalThis;
        for (const part of path) owner = Object(owner)[part];
        if (owner !== undefined) Reflect.deleteProperty(Object(owner), last);
      }
    },
    { names: NEWER, helpers: ITERATOR_HELPERS },
  );
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (/(Type|Reference)Error/.test(message.text())) problems.push(message.text());
  });
  await walkJourneys(page);
  expect(await page.evaluate(() => 'groupBy' in Map || 'any' in AbortSignal)).toBe(false);
  expect(problems).toEqual([]);
});

test('the stylesheets use no function that the oldest browsers lack', () => {
  const assets = join(BUILT_PAGE, 'assets');
  const sheets = readdirSync(assets).filter((name) => name.endsWith('.css'));
  expect(sheets.length).toBeGreaterThan(5);
  for (const sheet of sheets) {
    expect(readFileSync(join(assets, sheet), 'utf8'), sheet).not.toMatch(
      /light-dark\(|color-mix\(|[{;}]\s*&/,
    );
    // Firefox 115 lacks `:has`. These uses are optional: a focus ring, which has a fallback, and hidden
    // words.
    expect(readFileSync(join(assets, sheet), 'utf8'), sheet).not.toMatch(
      /:has\((?!:is\(input,\s*select\):focus-visible|>\s*\.visually-hidden|\*)/,
    );
  }
});

test('a browser that cannot run the page says so', async ({ page }) => {
  // Simulates a browser without the unit, in the inline stylesheets and in the file that replaces them if
  // they are blocked.
  await page.route(/\/$|\.css$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('1cqi', '1unknown') });
  });
  await page.goto('/');
  await expect(page.getByText('Your browser is too old for this page')).toBeVisible();
});

test('a supported browser does not show this message', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByLabel('When')).not.toHaveValue('');
  await expect(page.getByText('Your browser is too old for this page')).toBeHidden();
});

test('without scripts, the page says that it needs them', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' });
  const page = await context.newPage();
  for (const address of ['/', '/results', '/explore']) {
    await page.goto(address);
    await expect(page.getByText(/^This page needs JavaScript/)).toBeVisible();
    await expect(page.getByText('Loading results...')).toBeHidden();
  }
  await context.close();
});
