import { build } from 'vite';
import { OLDEST_BROWSERS } from './oldest-browsers.ts';

/** Builds the widget into the page's folder. Its file has no hash, because config.json names it. */
export async function buildWidget(folder: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir: `${folder}/widget`,
      emptyOutDir: true,
      target: OLDEST_BROWSERS,
      rolldownOptions: {
        input: 'widget/price-analysis.ts',
        output: { entryFileNames: 'price-analysis.js' },
      },
    },
  });
}
