import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { writeStaticPage } from '../../scripts/static-page.ts';
import { type Brand, readBrandFolder } from '../../server/page/brand-folder.ts';
import { BENIDORM_HOTELS } from '../fixtures/market.ts';
import { type RunningSkylark, startSkylark } from '../fixtures/running-skylark.ts';
import { cards, search } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';
import { startStaticHost } from './support/static-host.ts';

const BUILT = 'dist/web';
const ACTION = { light: 'rgb(138, 28, 92)', dark: 'rgb(255, 170, 220)' };

let folder: string;
let brandDir: string;
let seaward: RunningSkylark;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'skylark-brand-'));
  brandDir = join(folder, 'brand');
  mkdirSync(brandDir);
  writeFileSync(
    join(brandDir, 'brand.json'),
    JSON.stringify({
      name: 'Seaward & Sons',
      providerName: 'Seaward Travel',
      providerUrl: 'https://www.seaward.example/',
      footerText: 'Seaward & Sons is a trading name of a company that is made up.',
      colours: {
        action: { light: '#8a1c5c', dark: '#ffaadc' },
        sky: { light: '#f6dfec', dark: '#33142a' },
        sun: { light: '#8a5a00', dark: '#ffd27a' },
      },
    }),
  );
  writeFileSync(
    join(brandDir, 'logo.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 40 40"><path fill="#8a1c5c" d="M0 40 20 0l20 40z"/></svg>',
  );
  writeFileSync(join(brandDir, 'locations.csv'), 'country,region,resort\nSpain,Costa Blanca,Benidorm\n');
  seaward = await startSkylark(join(folder, 'data'), { SAMPLE_INVENTORY: 'off', BRAND_DIR: brandDir });
});
test.afterAll(async () => {
  await seaward.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Records each title and brand name that the page shows, from the first paint on. */
async function watchBrand(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const seen = new Set<string>();
    Object.assign(window, { seenBrands: seen });
    const look = () => {
      seen.add(document.title);
      seen.add(document.querySelector('header')?.textContent ?? '');
      for (const image of document.querySelectorAll('header img')) seen.add(image.getAttribute('src') ?? '');
    };
    new MutationObserver(look).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    document.addEventListener('DOMContentLoaded', look);
  });
  return () => page.evaluate(() => [...(window as unknown as { seenBrands: Set<string> }).seenBrands]);
}

for (const scheme of ['light', 'dark'] as const) {
  test(`shows a brand folder's look from the first paint on (${scheme})`, async ({ page }) => {
    const heard: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && heard.push(message.text())));
    page.on('pageerror', (error) => void heard.push(error.message));
    await page.emulateMedia({ colorScheme: scheme });
    const brands = await watchBrand(page);
    await page.goto(seaward.url);
    await expect(page).toHaveTitle('Find a package holiday | Seaward & Sons');
    await expect(page.getByRole('banner')).toContainText('Seaward & Sons');
    const footer = page.getByRole('contentinfo');
    await expect(footer).toContainText('a trading name of a company that is made up');
    await expect(footer.getByRole('link', { name: 'Seaward Travel' })).toHaveAttribute(
      'href',
      'https://www.seaward.example/',
    );
    const logo = page.getByRole('banner').locator('img');
    await expect(logo).toHaveAttribute('src', /^\/brand\/logo-[\da-f]{8}\.svg$/);
    expect(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40);
    const action = await page.evaluate(() => {
      const probe = document.createElement('i');
      probe.className = 'button-action';
      document.body.append(probe);
      const { backgroundColor } = getComputedStyle(probe);
      probe.remove();
      return backgroundColor;
    });
    expect(action).toBe(ACTION[scheme]);
    await page.getByRole('combobox', { name: 'Destination' }).fill('spain');
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText([/^Spain/, /^Benidorm/, /^Costa/]);
    await page.screenshot({ path: test.info().outputPath(`brand-${scheme}.png`) });
    expect((await brands()).join('\n')).not.toContain('Skylark');
    expect((await brands()).join('\n')).not.toContain('/assets/logo');
    expect(heard).toEqual([]);
  });
}

test('shows the brand before any script has loaded, even on pages without scripts', async ({ page }) => {
  await page.route(/\.js$/, (route) => route.abort());
  await page.goto(`${seaward.url}/results`);
  await expect(page).toHaveTitle('Holiday results | Seaward & Sons');
  await expect(page.getByRole('banner')).toContainText('Seaward & Sons');
  const property = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--action').trim());
  expect(await property()).toBe('light-dark(#8a1c5c, #ffaadc)');
  await page.goto(`${seaward.url}/privacy`);
  expect(await property()).toBe('light-dark(#8a1c5c, #ffaadc)');
  await expect(page).toHaveTitle(/Seaward & Sons$/);
});

test('exports the branded page as static files, which search a server on another host', async ({
  page,
  skylark,
}) => {
  const read = readBrandFolder(brandDir);
  if (read.kind === 'refused') throw new Error(read.message);
  const footerLinks = [
    { text: 'Privacy', url: '/privacy' },
    { text: 'How we price', url: '/how-we-price' },
    { text: 'Contact', url: 'mailto:hello@seaward.example' },
  ];
  const brand: Brand = { ...read.brand, footerLinks };
  const target = join(folder, 'static');
  const policy = await writeStaticPage({ built: BUILT, server: skylark.url, brand, target });
  await expect(writeStaticPage({ built: BUILT, server: skylark.url, brand, target })).rejects.toThrow(
    'is not empty',
  );
  const host = await startStaticHost(target, {}, { 'content-security-policy': policy });
  const heard: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && heard.push(message.text())));
  const brands = await watchBrand(page);
  await page.goto(host.url);
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await expect(page.getByText(`Showing 1 to 10 of ${BENIDORM_HOTELS} results`)).toBeVisible();
  await expect(
    cards(page)
      .first()
      .getByText(/Too little to go on|most holidays like this cost/)
      .first(),
  ).toBeVisible();
  const visit = page.waitForResponse((response) => response.url() === `${skylark.url}/visits`);
  const provider = page.waitForEvent('popup');
  await cards(page)
    .first()
    .getByRole('link', { name: /Visit site/ })
    .or(
      cards(page)
        .first()
        .getByRole('button', { name: /Visit site/ }),
    )
    .click();
  expect((await visit).status()).toBe(204);
  await (await provider).close();
  expect((await brands()).join('\n')).not.toContain('Skylark');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('banner')).toContainText('Seaward & Sons');
  await page.goto(`${host.url}/terms.html`);
  await expect(page.getByRole('heading', { name: 'Terms of use' })).toBeVisible();
  await page.goto(host.url);
  await page.getByRole('contentinfo').getByRole('link', { name: 'How we price' }).click();
  await expect(page.getByRole('heading', { name: 'How we price' })).toBeVisible();
  await page.goto(`${host.url}/accessibility.html`);
  await expect(page.getByRole('link', { name: 'hello@seaward.example' })).toBeVisible();
  expect(heard).toEqual([]);
  await host.close();
});

test('applies the colours of config.json on a static host once it is loaded', async ({ page, skylark }) => {
  const config = {
    searchEndpoint: `${skylark.url}/graphql`,
    brandName: 'Seaward',
    brandColours: { action: '#8a1c5c' },
    footerText: '<b>Seaward</b> is made up.',
  };
  const host = await startStaticHost(BUILT, { '/config.json': JSON.stringify(config) });
  await page.goto(host.url);
  await expect(page.getByRole('banner')).toContainText('Seaward');
  await expect(page.getByRole('contentinfo')).toContainText('<b>Seaward</b> is made up.');
  await expect
    .poll(() => page.evaluate(() => document.documentElement.style.getPropertyValue('--action')))
    .toBe('light-dark(#8a1c5c, #8a1c5c)');
  await host.close();
});
