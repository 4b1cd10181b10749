import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { BUILT_PAGE } from './support/another-server.ts';
import { expect, test } from './support/skylark.ts';
import { startStaticHost } from './support/static-host.ts';

/** What some states show, by the state's name. */
const CONTENTS: ReadonlyMap<string, (page: Page) => Promise<void>> = new Map([
  ['modal-submitted', (page) => expect(page.getByRole('button', { name: 'Submitted' })).toBeVisible()],
  ['results', (page) => expect(page.getByRole('article')).toHaveCount(3)],
  ['card-high', (page) => expect(page.getByRole('group', { name: /^Price analysis/ })).toContainText('High')],
  ['form-searching', (page) => expect(page.getByRole('button', { name: 'Searching...' })).toBeDisabled()],
]);

test('renders every part in every state, without errors and without text next to other nodes', async ({
  page,
}) => {
  test.setTimeout(180_000);
  const folder = temporaryFolder();
  // Uses a build, because the development server would serve hundreds of modules to each state.
  await build({
    configFile: false,
    plugins: [react()],
    publicDir: 'web/public',
    logLevel: 'error',
    build: { outDir: folder.path, target: 'es2022', rolldownOptions: { input: 'gallery.html' } },
  });
  const host = await startStaticHost(folder.path, {});
  const address = new URL('/gallery.html', host.url).href;
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  // React creates a separate text node only for text with siblings. A translator replaces such a node, and
  // React then fails to remove it. Text alone in its element is safe.
  const texts: string[] = [];
  await page.exposeFunction('reportText', (text: string) => texts.push(text));
  await page.addInitScript(() => {
    const create = document.createTextNode.bind(document);
    document.createTextNode = (text) => {
      const report: unknown = Reflect.get(window, 'reportText');
      if (text.trim() !== '' && typeof report === 'function') report(text);
      return create(text);
    };
  });
  try {
    await page.goto(address);
    const frames = page.locator('iframe');
    await expect(frames.first()).toBeVisible({ timeout: 60_000 });
    const names = await frames.evaluateAll((all) => all.map((frame) => frame.getAttribute('title') ?? ''));
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) {
      await page.goto(`${address}?state=${name}`);
      await expect(page.locator('html[data-ready]'), name).toBeAttached();
      await expect(page.locator('.gallery-state > *').first(), name).toBeAttached();
      await CONTENTS.get(name)?.(page);
    }
    expect(names).toEqual(expect.arrayContaining([...CONTENTS.keys()]));
  } finally {
    await host.close();
    folder.remove();
  }
  expect(errors).toEqual([]);
  expect(new Set(texts)).toEqual(new Set());
});

test('is not part of the built page', () => {
  const files = readdirSync(BUILT_PAGE, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  expect(files.map(({ name }) => name).filter((name) => /gallery/i.test(name))).toEqual([]);
  const texts = files.filter(({ name }) => /\.(?:html|js|css)$/.test(name));
  expect(texts.length).toBeGreaterThan(0);
  for (const { name, parentPath } of texts) {
    expect(readFileSync(join(parentPath, name), 'utf8'), name).not.toMatch(/gallery/i);
  }
});
