import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { LOGO_MARK, NAME_MARK } from '../domain/brand-marks.ts';
import type { PrerenderedBrand } from '../web/brand/prerendered-brand.ts';

const ROOT = '<div id="root"></div>';
const DEFAULT_BRAND: PrerenderedBrand = { brandName: 'Skylark', brandLogoUrl: null };
const MARKED_BRAND: PrerenderedBrand = { brandName: NAME_MARK, brandLogoUrl: LOGO_MARK };
const MARKED_ATTRIBUTES = ` data-brand-name="${NAME_MARK}" data-brand-logo="${LOGO_MARK}"`;
const TITLE = /<title>.*<\/title>/;
const SHEET = /<link rel="stylesheet"[^>]* href="(\/assets\/[^"]+\.css)">/;

/** The accessibility statement, which is no part of the application, and its logo. */
const STATEMENT = 'accessibility.html';
const LOGO = /(<img src=")[^"]+(")/;

/** Where the build that runs in Node is put, for as long as it runs: where packages are found from. */
const CACHE = 'node_modules/.cache';

/**
 * Writes the shell of the page into the built index.html, and a results.html beside it for '/results': both are
 * painted before any script has come, and taken over by it. `resultsChunk` is the file that a search's code is in,
 * which results.html asks for at once. Their stylesheet is in them, so that nothing has to be fetched before the first
 * paint; its file stays for the pages that link to it. Beside the folder stand templates of both and of
 * the accessibility statement, with marks for a brand.
 */
export async function prerenderPage(folder: string, resultsChunk: string): Promise<void> {
  const page = `${folder}/index.html`;
  const templates = `${folder}/../shell`;
  const template = await withSheetIn(await readFile(page, 'utf8'), folder);
  if (!template.includes(ROOT)) throw new Error(`The built page has no ${ROOT} to write the shell into`);
  const [home, results, markedHome, markedResults] = await shellsOf([
    ['/', DEFAULT_BRAND],
    ['/results', DEFAULT_BRAND],
    ['/', MARKED_BRAND],
    ['/results', MARKED_BRAND],
  ]);
  const withShell = (path: string, shell = '', attributes = '') =>
    template.replace(ROOT, () => `<div id="root" data-path="${path}"${attributes}>${shell}</div>`);
  const asResults = (html: string) =>
    html
      .replace(TITLE, '<title>Holidays found | Skylark</title>')
      .replace('</head>', `  <link rel="modulepreload" crossorigin href="/${resultsChunk}">\n  </head>`);
  const asTemplate = (html: string) => html.replace(/ \| Skylark<\/title>/, ` | ${NAME_MARK}</title>`);

  await writeFile(page, withShell('/', home));
  await writeFile(`${folder}/results.html`, asResults(withShell('/results', results)));
  await mkdir(templates, { recursive: true });
  await writeFile(`${templates}/index.html`, asTemplate(withShell('/', markedHome, MARKED_ATTRIBUTES)));
  await writeFile(
    `${templates}/results.html`,
    asTemplate(asResults(withShell('/results', markedResults, MARKED_ATTRIBUTES))),
  );
  const statement = await readFile(`${folder}/${STATEMENT}`, 'utf8');
  await writeFile(`${templates}/${STATEMENT}`, asTemplate(statement.replace(LOGO, `$1${LOGO_MARK}$2`)));
}

/** The page with its stylesheet in it, which says what file it is (`server/http/inline-styles.ts`). */
async function withSheetIn(html: string, folder: string): Promise<string> {
  const [link = '', address = ''] = SHEET.exec(html) ?? [];
  if (address === '') throw new Error('The built page links to no stylesheet of its own');
  const sheet = (await readFile(`${folder}${address}`, 'utf8')).trim();
  if (/<\/style/i.test(sheet))
    throw new Error(`${address} cannot stand in a page: it has an end of a style in it`);
  return html.replace(link, () => `<style data-sheet="${address}">${sheet}</style>`);
}

async function shellsOf(
  shells: readonly (readonly [path: string, brand: PrerenderedBrand])[],
): Promise<string[]> {
  await mkdir(CACHE, { recursive: true });
  const outDir = await mkdtemp(`${CACHE}/prerender-`);
  try {
    await build({
      logLevel: 'warn',
      publicDir: false,
      build: {
        ssr: 'web/prerender.tsx',
        outDir,
        rolldownOptions: { output: { entryFileNames: 'prerender.js' } },
      },
    });
    const built: typeof import('../web/prerender.tsx') = await import(
      pathToFileURL(resolve(outDir, 'prerender.js')).href
    );
    return await Promise.all(shells.map(([path, brand]) => built.prerenderPath(path, brand)));
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}
