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
const IMAGES = /^(?:<link rel="preload" as="image"[^>]*>)*/;
const SHEET = /<link rel="stylesheet"[^>]* href="(\/assets\/[^"]+\.css)">/;

/** The chunks that a page's shell preloads. */
export interface PageChunks {
  results: string;
  explore: string;
  shortlist: string;
}

const SHELLS = [
  { path: '/', chunk: null, title: '' },
  { path: '/results', chunk: 'results', title: 'Holiday results' },
  { path: '/explore', chunk: 'explore', title: 'Explore holidays by price' },
  { path: '/shortlist', chunk: 'shortlist', title: 'Your shortlist' },
] as const;

/** The accessibility statement, which is not part of the application, and its logo. */
const STATEMENT = 'accessibility.html';
const LOGO = /(<img src=")[^"]+(")/;

/** Where the build for Node goes. It is inside node_modules, so that it finds packages. */
const CACHE = 'node_modules/.cache';

/**
 * Prerenders a file for each path, so that its page paints before scripts load. Inlines the stylesheet, and preloads
 * the page's chunk. Writes a template of each file, with placeholders for the brand, to `../shell`.
 */
export async function prerenderPage(folder: string, chunks: PageChunks): Promise<void> {
  const templates = `${folder}/../shell`;
  const template = await withInlineStyles(await readFile(`${folder}/index.html`, 'utf8'), folder);
  if (!template.includes(ROOT)) throw new Error(`The built page has no ${ROOT} to write the shell into`);
  const asTemplate = (html: string) => html.replace(/ \| Skylark<\/title>/, ` | ${NAME_MARK}</title>`);
  await mkdir(templates, { recursive: true });
  await withShells(async (prerenderPath) => {
    for (const { path, chunk, title } of SHELLS) {
      const file = `${chunk ?? 'index'}.html`;
      const filled = (shell: string, attributes: string) => {
        const [images = ''] = IMAGES.exec(shell) ?? [];
        const root = `<div id="root" data-path="${path}"${attributes}>${shell.slice(images.length)}</div>`;
        // Images load before scripts, because HTTP/1.1 loads six files at a time.
        const html = template.replace('<script', () => `${images}<script`).replace(ROOT, () => root);
        if (chunk === null) return html;
        return html
          .replace(TITLE, `<title>${title} | Skylark</title>`)
          .replace('</head>', `  <link rel="modulepreload" crossorigin href="/${chunks[chunk]}">\n  </head>`);
      };
      await writeFile(`${folder}/${file}`, filled(await prerenderPath(path, DEFAULT_BRAND), ''));
      const marked = filled(await prerenderPath(path, MARKED_BRAND), MARKED_ATTRIBUTES);
      await writeFile(`${templates}/${file}`, asTemplate(marked));
    }
  });
  const statement = await readFile(`${folder}/${STATEMENT}`, 'utf8');
  await writeFile(`${templates}/${STATEMENT}`, asTemplate(statement.replace(LOGO, `$1${LOGO_MARK}$2`)));
}

/** Inlines the stylesheet, labelled with its file name (`server/http/inline-styles.ts`). */
async function withInlineStyles(html: string, folder: string): Promise<string> {
  const [link = '', href = ''] = SHEET.exec(html) ?? [];
  if (href === '') throw new Error('The built page does not link to its stylesheet');
  const sheet = (await readFile(`${folder}${href}`, 'utf8')).trim();
  if (/<\/style/i.test(sheet)) throw new Error(`${href} cannot be inlined: it contains </style`);
  return html.replace(link, () => `<style data-sheet="${href}">${sheet}</style>`);
}

/** Runs work with the page's prerendering function, which it builds for Node. */
async function withShells(
  work: (prerenderPath: typeof import('../web/prerender.tsx').prerenderPath) => Promise<void>,
): Promise<void> {
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
    await work(built.prerenderPath);
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}
