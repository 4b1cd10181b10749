import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFeedSettings } from '../feed/feed-settings.ts';
import { unpackFeed } from '../feed/source/unpack-feed.ts';
import { commandLine, installedUsage } from '../lib/command-line.ts';
import { errorMessage } from '../lib/error-message.ts';
import { fail } from './command-output.ts';
import { loadInstalledSettings } from './command-store.ts';
import { updateRates } from './ecb-rates.ts';

const USAGE = `npm run charges -- rates          updates EXCHANGE_RATES_FILE from EXCHANGE_RATES_URL
npm run charges -- rates <file>   the same from a file: the ECB's eurofxref, as CSV or zip`;

const MAX_DOWNLOAD_MS = 60_000;

const [command, file] = commandLine(USAGE, { maxWords: 2 }).words;
loadInstalledSettings();
const read = readFeedSettings(process.env);
if (command !== 'rates') fail(installedUsage(USAGE));
else if (read.kind === 'refused') fail(read.message);
else await update(read.settings.ratesFile, file ?? read.settings.ratesUrl);

async function update(ratesFile: string | undefined, source: string | undefined): Promise<void> {
  if (ratesFile === undefined)
    return fail('EXCHANGE_RATES_FILE must be set: copy assets/exchange-rates.csv to a file of your own.');
  if (source === undefined) return fail('Name a file, or set EXCHANGE_RATES_URL.');
  try {
    const rates = updateRates(await readFile(ratesFile, 'utf8'), await textOf(source));
    if (typeof rates === 'string') return fail(`${source} can't be used. ${rates}`);
    await writeFile(`${ratesFile}.new`, rates.csv);
    await rename(`${ratesFile}.new`, ratesFile);
    const kept = rates.kept.length === 0 ? '' : ` Set by hand, or already newer: ${rates.kept.join(', ')}.`;
    console.log(
      `Rates of ${rates.date}: ${rates.updated.join(', ')}.${kept} Restart the server to use them.`,
    );
  } catch (error) {
    fail(`${source} can't be read: ${errorMessage(error)}.`);
  }
}

/** The text of a file, or of a URL, unpacked. */
async function textOf(source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rates-'));
  try {
    let path = source;
    if (/^https?:/.test(source)) {
      const response = await fetch(source, { signal: AbortSignal.timeout(MAX_DOWNLOAD_MS) });
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      path = join(folder, 'rates');
      await writeFile(path, new Uint8Array(await response.arrayBuffer()));
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of unpackFeed(path, async () => {})) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    await rm(folder, { recursive: true });
  }
}
