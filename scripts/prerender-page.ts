import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

const ROOT = '<div id="root"></div>';
const TITLE = /<title>.*<\/title>/;

/** Where the build that runs in Node is put, for as long as it runs: where packages are found from. */
const CACHE = 'node_modules/.cache';

/**
 * Writes the shell of the page into the built index.html, and a results.html beside it for '/results': both are
 * painted before any script has come, and taken over by it. `resultsChunk` is the file that a search's code is in,
 * which results.html asks for at once.
 */
export async function prerenderPage(folder: string, resultsChunk: string): Promise<void> {
  const page = `${folder}/index.html`;
  const template = await readFile(page, 'utf8');
  if (!template.includes(ROOT)) throw new Error(`The built page has no ${ROOT} to write the shell into`);
  const [home, results] = await shellsOf(['/', '/results']);
  const withShell = (path: string, shell = '') =>
    template.replace(ROOT, () => `<div id="root" data-path="${path}">${shell}</div>`);

  await writeFile(page, withShell('/', home));
  await writeFile(
    `${folder}/results.html`,
    withShell('/results', results)
      .replace(TITLE, '<title>Holidays found | Skylark</title>')
      .replace('</head>', `  <link rel="modulepreload" crossorigin href="/${resultsChunk}">\n  </head>`),
  );
}

async function shellsOf(paths: readonly string[]): Promise<string[]> {
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
    return await Promise.all(paths.map(built.prerenderPath));
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}
