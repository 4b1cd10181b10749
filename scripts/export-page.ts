import { parseArgs } from 'node:util';
import { isHttpUrl } from '../server/environment/values.ts';
import { errorMessage } from '../server/lib/error-message.ts';
import { brandContrastWarnings } from '../server/page/brand-contrast.ts';
import { type Brand, NO_BRAND, readBrandFolder } from '../server/page/brand-folder.ts';
import { writeStaticPage } from './static-page.ts';

const USAGE =
  'npm run export -- <new folder> --server <https URL of a Skylark> [--brand <folder>]   the page as plain files';

const { values, positionals } = parseArgs({
  options: { server: { type: 'string' }, brand: { type: 'string' } },
  allowPositionals: true,
});
const [target, ...more] = positionals;
const brand =
  values.brand === undefined ? ({ kind: 'brand', brand: NO_BRAND } as const) : readBrandFolder(values.brand);
if (target === undefined || more.length > 0 || !isHttpUrl(values.server ?? '')) fail(USAGE);
else if (brand.kind === 'refused') fail(brand.message);
else await run(target, values.server ?? '', brand.brand);

async function run(folder: string, server: string, pageBrand: Brand): Promise<void> {
  for (const warning of brandContrastWarnings(pageBrand.colours ?? {})) console.error(warning);
  try {
    const policy = await writeStaticPage({ built: 'dist/web', server, brand: pageBrand, target: folder });
    console.log(
      `The page is in ${folder}. Its host should serve results.html for /results, explore.html for /explore, shortlist.html for /shortlist,`,
    );
    console.log(
      `index.html for any other URL without a file, and send this header with every response (docs/static-page.md):\n`,
    );
    console.log(`Content-Security-Policy: ${policy}`);
  } catch (error) {
    fail(`The page could not be written: ${errorMessage(error)}.`);
  }
}

function fail(words: string): void {
  console.error(words);
  process.exitCode = 1;
}
