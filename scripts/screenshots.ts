import { mkdirSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { addMonths, todayInLondon } from '../domain/calendar-date.ts';
import { findOrInstallBrowser } from './browser.ts';

// Pictures of every state of a running Skylark, into a folder that git ignores:
//   npm run screenshots -- [address] [folder]
const address = process.argv[2] ?? 'http://127.0.0.1:3000';
const folder = process.argv[3] ?? 'screenshots';
const WIDTHS = [375, 768, 1200, 1440];
const SCHEMES = ['light', 'dark'] as const;

const date = addMonths(todayInLondon(Date.now()), 6);
const results = `/results?country=Spain&region=Costa+Blanca&from=region:LOND&date=${date}&nights=7`;
const STATES: Readonly<Record<string, string>> = {
  home: '/',
  results,
  empty: '/results',
};

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: findOrInstallBrowser(), args: ['--no-sandbox'] });
for (const scheme of SCHEMES) {
  for (const width of WIDTHS) {
    const page = await browser.newPage({
      viewport: { width, height: 900 },
      colorScheme: scheme,
      locale: 'en-GB',
    });
    for (const [state, path] of Object.entries(STATES)) {
      await page.goto(address + path);
      await page.waitForLoadState('networkidle');
      await save(`${state}-${width}-${scheme}`);
    }
    await page.goto(`${address}/`);
    await page.getByRole('combobox', { name: 'Destination' }).fill('cos');
    await page.getByRole('option').first().waitFor();
    await save(`destinations-${width}-${scheme}`);
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Departure airport' }).click();
    await page.getByRole('option').first().waitFor();
    await save(`airports-${width}-${scheme}`);
    await page.keyboard.press('Escape');
    await page.getByLabel('When').click();
    await page.getByRole('dialog').waitFor();
    await save(`calendar-${width}-${scheme}`);
    await page.close();

    async function save(name: string): Promise<void> {
      const path = `${folder}/${name}.png`;
      await page.screenshot({ path });
      console.log(path);
    }
  }
}
await browser.close();
