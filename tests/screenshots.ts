import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findOrInstallBrowser } from '../scripts/browser.ts';
import { commandLine } from '../server/lib/command-line.ts';
import { PAGE_STATES } from './fixtures/page-states.ts';
import { startSkylark } from './fixtures/running-skylark.ts';

const USAGE = `npm run screenshots -- [--only state,state] [--widths 375,1440] [folder, default screenshots]
  takes screenshots of every state at four widths, light and dark, and writes an index page. Starts a server on the
  sample inventory.`;
const WIDTHS = [375, 768, 1200, 1440];
const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 900;

/** The sample's nearest departures are loaded within seconds. */
const FIRST_PACKAGES_MS = 60_000;

const { options, words } = commandLine(USAGE, { options: { only: null, widths: null }, maxWords: 1 });
const only = options.only?.split(',') ?? null;
const widths = options.widths?.split(',').map(Number) ?? WIDTHS;
const [folder = 'screenshots'] = words;
const states = PAGE_STATES.filter(({ name }) => only === null || only.includes(name));
mkdirSync(folder, { recursive: true });
const dataDir = mkdtempSync(join(tmpdir(), 'skylark-screenshots-'));
const skylark = await startSkylark(dataDir);
const browser = await chromium.launch({ executablePath: findOrInstallBrowser(), args: ['--no-sandbox'] });
try {
  await waitForPackages();
  for (const width of widths) for (const state of states) await takeScreenshots(state, width);
  writeFileSync(join(folder, 'index.html'), indexPage());
  console.log(`Wrote ${join(folder, 'index.html')}`);
} finally {
  await browser.close();
  await skylark.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function takeScreenshots({ name, open }: (typeof PAGE_STATES)[number], width: number): Promise<void> {
  const page = await openPage(width);
  try {
    await open(page);
    for (const colorScheme of SCHEMES) {
      // Without motion, colours change immediately.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ path: join(folder, fileName(name, width, colorScheme)) });
    }
    console.log(`${name} at ${width}`);
  } catch (error) {
    process.exitCode = 1;
    console.error(`${name} at ${width} failed: ${String(error)}`);
  }
  await page.close();
}

function openPage(width: number) {
  return browser.newPage({ baseURL: skylark.url, viewport: { width, height: HEIGHT }, locale: 'en-GB' });
}

async function waitForPackages(): Promise<void> {
  const results = PAGE_STATES.find(({ name }) => name === 'results');
  const page = await openPage(375);
  page.setDefaultTimeout(3_000);
  for (const end = Date.now() + FIRST_PACKAGES_MS; ; ) {
    try {
      await results?.open(page);
      break;
    } catch (error) {
      if (Date.now() > end) throw new Error('The sample inventory shows no packages', { cause: error });
    }
  }
  await page.close();
}

function fileName(state: string, width: number, scheme: string): string {
  return `${state}-${width}-${scheme}.png`;
}

function indexPage(): string {
  const rows = states.map(({ name }) => {
    const pictures = SCHEMES.flatMap((scheme) =>
      widths.map((width) => {
        const file = fileName(name, width, scheme);
        return `<a href="${file}"><img src="${file}" alt="${name}, ${width} pixels wide, ${scheme}" height="360" loading="lazy"></a>`;
      }),
    );
    return `<h2>${name}</h2>\n<p>${pictures.join('\n')}</p>`;
  });
  return `<!doctype html>\n<html lang="en-GB">\n<meta charset="utf-8">\n<title>Screenshots</title>\n${rows.join('\n')}\n</html>\n`;
}
