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

/** The accessibility statement, which is not part of the application, and its logo. */
const STATEMENT = 'accessibility.html';
const LOGO = /(<img src=")[^"]+(")/;

/** The temporary folder of the build that runs in Node. Inside node_modules, so that packages are found. */
const CACHE = 'node_modules/.cache';

/**
 * Prerenders the shell into index.html and, for `/results`, into results.html, so that both paint before scripts load.
 * results.html preloads `resultsChunk`. The stylesheet is inlined for the first paint; its file remains for pages that
 * link to it. Templates of both pages and of the accessibility statement, with placeholders for a brand, are written to
 * `../shell`.
 */
export async function prerenderPage(folder: string, resultsChunk: string): Promise<void> {
  const page = `${folder}/index.html`;
  const templates = `${folder}/../shell`;
  const template = await withInlineStyles(await readFile(page, 'utf8'), folder);
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

/** Inlines the stylesheet, labelled with its file name (`server/http/inline-styles.ts`). */
async function withInlineStyles(html: string, folder: string): Promise<string> {
  const [link = '', address = ''] = SHEET.exec(html) ?? [];
  if (address === '') throw new Error('The built page does not link to its stylesheet');
  const sheet = (await readFile(`${folder}${address}`, 'utf8')).trim();
  if (/<\/style/i.test(sheet)) throw new Error(`${address} cannot be inlined: it contains </style`);
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
