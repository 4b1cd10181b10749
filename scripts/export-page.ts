import { isHttpUrl } from '../server/environment/values.ts';
import { callersPath } from '../server/lib/callers-path.ts';
import { commandLine } from '../server/lib/command-line.ts';
import { errorMessage } from '../server/lib/error-message.ts';
import { brandContrastWarnings } from '../server/page/brand-contrast.ts';
import { type Brand, NO_BRAND, readBrandFolder } from '../server/page/brand-folder.ts';
import { buildPageIfStale } from './build-page-if-stale.ts';
import { writeStaticPage } from './static-page.ts';

const USAGE =
  'npm run export -- <new folder> --server <https URL of a Skylark> [--brand <folder>]   the page as plain files';

const { options, words } = commandLine(USAGE, { options: { server: null, brand: null }, maxWords: 1 });
const [target] = words;
const { server } = options;
const brand =
  options.brand === null
    ? ({ kind: 'brand', brand: NO_BRAND } as const)
    : readBrandFolder(callersPath(options.brand));
if (target === undefined || server === null || !isHttpUrl(server)) fail(USAGE);
else if (brand.kind === 'refused') fail(brand.message);
else await run(target, server, brand.brand);

async function run(folder: string, url: string, pageBrand: Brand): Promise<void> {
  buildPageIfStale();
  for (const warning of brandContrastWarnings(pageBrand.colours ?? {})) console.error(warning);
  try {
    const policy = await writeStaticPage({
      built: 'dist/web',
      server: url,
      brand: pageBrand,
      target: callersPath(folder),
    });
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
