import type { Plugin } from 'vite';
import { buildWidget } from './build-widget.ts';
import { precompress } from './precompress.ts';
import { prerenderPage } from './prerender-page.ts';

/** The chunks that prerendered pages preload. */
const CHUNKS = { results: 'web/results/LoadedResults.tsx', explore: 'web/explore/ExploreContent.tsx' };

/** After bundling, builds the widget, prerenders the page and compresses everything. */
export function finishPage(): Plugin {
  let folder = '';
  const files = { results: '', explore: '' };
  return {
    name: 'finish-page',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    configResolved(config) {
      folder = config.build.outDir;
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        if (chunk.facadeModuleId?.endsWith(CHUNKS.results)) files.results = chunk.fileName;
        if (chunk.facadeModuleId?.endsWith(CHUNKS.explore)) files.explore = chunk.fileName;
      }
    },
    async closeBundle() {
      if (files.results === '') this.error(`The build has no chunk of ${CHUNKS.results}`);
      if (files.explore === '') this.error(`The build has no chunk of ${CHUNKS.explore}`);
      await buildWidget(folder);
      await prerenderPage(folder, files);
      await precompress(folder);
    },
  };
}
