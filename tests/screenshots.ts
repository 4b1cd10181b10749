import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findOrInstallBrowser } from '../scripts/browser.ts';
import { PAGE_STATES } from './fixtures/page-states.ts';
import { startSkylark } from './fixtures/running-skylark.ts';

// Pictures of every state at four widths, light and dark, and a sheet of them all, into a folder that git ignores:
//   npm run screenshots -- [--only state,state] [--widths 375,1440] [folder]
// It starts a Skylark of its own, on the sample inventory.
const WIDTHS = [375, 768, 1200, 1440];
const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 900;

/** The sample's nearest departures are there within seconds of a first start. */
const FIRST_PACKAGES_MS = 60_000;

const { only, widths, folder } = readArguments(process.argv.slice(2));
const states = PAGE_STATES.filter(({ name }) => only === null || only.includes(name));
mkdirSync(folder, { recursive: true });
const dataDir = mkdtempSync(join(tmpdir(), 'skylark-screenshots-'));
const skylark = await startSkylark(dataDir);
const browser = await chromium.launch({ executablePath: findOrInstallBrowser(), args: ['--no-sandbox'] });
try {
  await untilThereArePackages();
  for (const width of widths) for (const state of states) await picture(state, width);
  writeFileSync(join(folder, 'index.html'), sheet());
  console.log(`${join(folder, 'index.html')} shows them all.`);
} finally {
  await browser.close();
  await skylark.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function picture({ name, open }: (typeof PAGE_STATES)[number], width: number): Promise<void> {
  const page = await openPage(width);
  try {
    await open(page);
    for (const colorScheme of SCHEMES) {
      // Without motion the change of colours is at once.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ path: join(folder, fileName(name, width, colorScheme)) });
    }
    console.log(`${name} at ${width}`);
  } catch (error) {
    process.exitCode = 1;
    console.error(`${name} at ${width} could not be pictured: ${String(error)}`);
  }
  await page.close();
}

function openPage(width: number) {
  return browser.newPage({ baseURL: skylark.url, viewport: { width, height: HEIGHT }, locale: 'en-GB' });
}

async function untilThereArePackages(): Promise<void> {
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

function sheet(): string {
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

function readArguments(words: string[]): { only: string[] | null; widths: number[]; folder: string } {
  const wordsAfter = (option: string) => {
    const at = words.indexOf(option);
    return at < 0 ? null : (words.splice(at, 2)[1] ?? '').split(',');
  };
  const only = wordsAfter('--only');
  const widths = wordsAfter('--widths')?.map(Number) ?? WIDTHS;
  return { only, widths, folder: words[0] ?? 'screenshots' };
}
