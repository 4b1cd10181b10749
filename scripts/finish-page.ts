import type { Plugin } from 'vite';
import { buildWidget } from './build-widget.ts';
import { precompress } from './precompress.ts';
import { prerenderPage } from './prerender-page.ts';

/** The chunks that prerendered pages preload. */
const CHUNKS = {
  results: 'web/results/LoadedResults.tsx',
  explore: 'web/explore/ExploreContent.tsx',
  shortlist: 'web/shortlist/page/ShortlistContent.tsx',
};
const NAMES = Object.keys(CHUNKS) as (keyof typeof CHUNKS)[];

/** After bundling, builds the widget, prerenders the page and compresses everything. */
export function finishPage(): Plugin {
  let folder = '';
  const files = { results: '', explore: '', shortlist: '' };
  return {
    name: 'finish-page',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    configResolved(config) {
      folder = config.build.outDir;
    },
    renderChunk: (code) => ({ code: repeatImports(code), map: null }),
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const name of NAMES)
          if (chunk.moduleIds.some((id) => id.endsWith(CHUNKS[name]))) files[name] = chunk.fileName;
      }
    },
    async closeBundle() {
      for (const name of NAMES)
        if (files[name] === '') this.error(`The build has no chunk of ${CHUNKS[name]}`);
      await buildWidget(folder);
      await prerenderPage(folder, files);
      await precompress(folder);
    },
  };
}

/** Repeats a failed dynamic import once, under another query string: browsers keep modules that failed. */
function repeatImports(code: string): string {
  return code.replaceAll(
    /\bimport\((["'`])(\.\/[^"'`]+\.js)\1\)/g,
    (found, quote, path) => `${found}.catch(()=>import(${quote}${path}?again${quote}))`,
  );
}
