import type { Plugin } from 'vite';
import { buildWidget } from './build-widget.ts';
import { precompress } from './precompress.ts';
import { prerenderPage } from './prerender-page.ts';

const RESULTS_CHUNK = 'web/results/results-chunk.ts';

/** After bundling: builds the widget, prerenders the page and compresses everything. */
export function finishPage(): Plugin {
  let folder = '';
  let resultsChunk = '';
  return {
    name: 'finish-page',
    apply: (config, { command }) => command === 'build' && !config.build?.ssr,
    configResolved(config) {
      folder = config.build.outDir;
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk' && chunk.facadeModuleId?.endsWith(RESULTS_CHUNK)) {
          resultsChunk = chunk.fileName;
        }
      }
    },
    async closeBundle() {
      if (resultsChunk === '') this.error(`The build has no chunk of ${RESULTS_CHUNK}`);
      await buildWidget(folder);
      await prerenderPage(folder, resultsChunk);
      await precompress(folder);
    },
  };
}
