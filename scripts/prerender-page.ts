import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

const ROOT = '<div id="root"></div>';
const TITLE = /<title>.*<\/title>/;

/** Where the build that runs in Node is put; nothing but this file reads it. */
const NODE_BUILD = 'node_modules/.cache/skylark-prerender';

/**
 * Writes the shell of the page into the built index.html, and a results.html beside it for '/results': both are
 * painted before any script has come, and taken over by it. `resultsChunk` is the file that a search's code is in,
 * which results.html asks for at once.
 */
export async function prerenderPage(folder: string, resultsChunk: string): Promise<void> {
  await build({
    logLevel: 'warn',
    plugins: [],
    publicDir: false,
    build: {
      ssr: 'web/prerender.tsx',
      outDir: NODE_BUILD,
      emptyOutDir: true,
      rolldownOptions: { output: { entryFileNames: 'prerender.js' } },
    },
  });
  const built = pathToFileURL(resolve(NODE_BUILD, 'prerender.js'));
  const { prerenderPath } = (await import(
    `${built.href}?${Date.now()}`
  )) as typeof import('../web/prerender.tsx');

  const page = `${folder}/index.html`;
  const template = await readFile(page, 'utf8');
  if (!template.includes(ROOT)) throw new Error(`The built page has no ${ROOT} to write the shell into`);
  const shell = async (path: string) =>
    template.replace(ROOT, `<div id="root" data-path="${path}">${await prerenderPath(path)}</div>`);

  await writeFile(page, await shell('/'));
  const results = (await shell('/results'))
    .replace(TITLE, '<title>Holidays found | Skylark</title>')
    .replace('</head>', `  <link rel="modulepreload" crossorigin href="/${resultsChunk}">\n  </head>`);
  await writeFile(`${folder}/results.html`, results);
}
