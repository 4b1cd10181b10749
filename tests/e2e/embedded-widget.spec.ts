import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Page, Request } from '@playwright/test';
import { fullAnalysis } from '../fixtures/full-data.ts';
import { expect, test } from './support/skylark.ts';
import { type StaticHost, startStaticHost } from './support/static-host.ts';

/** The index for `fullAnalysis` that gives a low price. */
const LOW = 1;

const EXAMPLE = 'docs/examples/price-analysis-widget';

const paintings = (page: Page) => page.locator('[data-price-analysis] .analysis');

/** Serves a page with these texts, by path, on another origin than Skylark's. */
async function onAnotherHost(
  files: Record<string, string>,
  use: (host: StaticHost) => Promise<void>,
  headers: Record<string, string> = {},
): Promise<void> {
  const host = await startStaticHost('tests/nothing-here', files, headers);
  try {
    await use(host);
  } finally {
    await host.close();
  }
}

/** Responds to analyses with Low for every key but 'unknown'. Returns the numbers of keys requested. */
async function answerAnalyses(page: Page): Promise<number[]> {
  const sizes: number[] = [];
  await page.route('**/graphql', (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    const { itemKeys } = (route.request().postDataJSON() as { variables: { itemKeys: string[] } }).variables;
    sizes.push(itemKeys.length);
    const priceAnalysis = itemKeys.filter((key) => key !== 'unknown').map((key) => fullAnalysis(key, LOW));
    return route.fulfill({
      json: { data: { priceAnalysis } },
      headers: { 'access-control-allow-origin': '*' },
    });
  });
  return sizes;
}

function hostPage(skylark: string, body: string, css = ''): Record<string, string> {
  const html = `<!doctype html><html lang="en"><title>Host</title><link rel="stylesheet" href="/host.css"><body>${body}
    <script type="module" src="${skylark}/widget/price-analysis.js"></script></body></html>`;
  return { '/page.html': html, '/host.css': css };
}

test('the example page on another origin gets analyses from Skylark’s server', async ({ page, skylark }) => {
  const file = (name: string) =>
    readFileSync(join(EXAMPLE, name), 'utf8').replaceAll('http://127.0.0.1:3000', skylark.url);
  const files = Object.fromEntries(
    ['index.html', 'holidays.js', 'holidays.css'].map((name) => [`/${name}`, file(name)]),
  );
  await onAnotherHost(files, async ({ url }) => {
    const refused: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') refused.push(message.text());
    });
    const requests: Request[] = [];
    page.on('request', (request) => requests.push(request));
    await page.goto(`${url}/index.html`);
    await expect(page.getByRole('status')).toHaveText('20 holidays');
    await expect(paintings(page)).toHaveCount(20);
    await expect(paintings(page).first()).toContainText(/Too little to go on|most holidays like this cost/);
    expect(refused).toEqual([]);
    expect(requests.some((request) => request.url() === `${url}/config.json`)).toBe(false);
    for (const request of requests) expect(await request.headerValue('cookie')).toBeNull();
  });
});

test('requests a hundred analyses for a hundred placeholders, ten per request', async ({ page, skylark }) => {
  const sizes = await answerAnalyses(page);
  const body = Array.from({ length: 100 }, (_, index) => `<div data-price-analysis="item-${index}"></div>`);
  await onAnotherHost(hostPage(skylark.url, body.join('')), async ({ url }) => {
    await page.goto(`${url}/page.html`);
    await expect(paintings(page)).toHaveCount(100);
    expect(sizes).toEqual(Array.from({ length: 10 }, () => 10));
  });
});

test('any element can be a placeholder, and none prevents the analysis of another', async ({
  page,
  skylark,
}) => {
  await answerAnalyses(page);
  const key = 'data-price-analysis';
  const body = `
    <ul><li ${key}="a"></li></ul>
    <button type="button" ${key}="b"></button>
    <table><tr><td ${key}="c"></td><td>Beside</td></tr></table>
    <p>Text <span ${key}="d"></span></p>
    <a href="#x" ${key}="e"></a>
    <img alt="" ${key}="f">
    <div ${key}=""></div>
    <div ${key}="${'x'.repeat(401)}"></div>
    <div ${key}="unknown"></div>
    <section ${key}="g"></section>
    <div ${key}="a"></div>
    <script>window.holidayPageData = { packages: [null, { ItemKey: 'a', hotel: null }, { ItemKey: 9 }] };</script>`;
  await onAnotherHost(hostPage(skylark.url, body), async ({ url }) => {
    await page.goto(`${url}/page.html`);
    await expect(paintings(page)).toHaveCount(7);
    await expect(page.getByRole('button', { name: /Price: Low/ })).toBeVisible();
    expect(await page.locator('button details, a details').count()).toBe(0);
    expect(await page.locator('li details, td details').count()).toBe(2);
    const narrow = await paintings(page).evaluateAll((all) =>
      all.filter((one) => one.getBoundingClientRect().width < 150).map((one) => one.outerHTML),
    );
    expect(narrow).toEqual([]);
  });
});

for (const [what, css] of [
  ['a dark background', 'body { background: #101014; color: #fff }'],
  ['a dark colour scheme', ':root { color-scheme: dark }'],
  ['a dark background in oklch', 'html { background: oklch(0.2 0.02 260) } body { color: white }'],
  ['dark tokens of the same names on a light page', ':root { --ink: #fff; --action: #eee; --sunken: #fff }'],
] as const) {
  test(`an analysis is readable on a page with ${what}`, async ({ page, skylark }) => {
    await answerAnalyses(page);
    const body = '<main><h1>Host</h1><div data-price-analysis="a"></div></main>';
    await onAnotherHost(hostPage(skylark.url, body, css), async ({ url }) => {
      await page.goto(`${url}/page.html`);
      await paintings(page).getByText('How we know').click();
      await expect(paintings(page).getByText('Other hotels', { exact: true })).toBeVisible();
      const { violations } = await new AxeBuilder({ page }).include('[data-price-analysis]').analyze();
      expect(violations).toEqual([]);
      const lightness = await paintings(page).evaluate((one) => getComputedStyle(one).colorScheme);
      expect(lightness).toBe(what.startsWith('dark tokens') ? 'light' : 'dark');
    });
  });
}

test("neither the page nor the widget changes the other's style", async ({ page, skylark }) => {
  await answerAnalyses(page);
  const css = `html { font-size: 10px }
    * { font-size: 3px !important; color: #777 !important; line-height: 0 !important; text-transform: uppercase !important;
      letter-spacing: 1em !important; white-space: nowrap !important; visibility: inherit; direction: rtl }
    body { visibility: hidden } span { display: none } details { display: none !important } h1 { visibility: visible }`;
  const body = '<h1 class="badge verdict headline">Host</h1><div data-price-analysis="a"></div>';
  await onAnotherHost(hostPage(skylark.url, body, css), async ({ url }) => {
    await page.goto(`${url}/page.html`);
    const badge = paintings(page).locator('.badge');
    await expect(badge).toBeVisible();
    const style = await badge.evaluate((one) => {
      const { fontSize, textTransform, letterSpacing, direction } = getComputedStyle(one);
      return { fontSize, textTransform, letterSpacing, direction };
    });
    expect(style).toEqual({
      fontSize: '14px',
      textTransform: 'none',
      letterSpacing: 'normal',
      direction: 'ltr',
    });
    const heading = await page.locator('h1').evaluate((one) => {
      const { padding, fontWeight, display } = getComputedStyle(one);
      return { padding, fontWeight, display, sheets: document.adoptedStyleSheets.length };
    });
    expect(heading).toEqual({ padding: '0px', fontWeight: '700', display: 'block', sheets: 0 });
  });
});
