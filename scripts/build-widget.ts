import { build } from 'vite';

/**
 * Builds the price-analysis widget into the page's folder, as a bundle that shares nothing with the page. Its
 * address is fixed, since an operator may name it, or another widget, in config.json.
 */
export async function buildWidget(folder: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir: `${folder}/widget`,
      emptyOutDir: true,
      target: 'es2022',
      rolldownOptions: {
        input: 'widget/price-analysis.ts',
        output: { entryFileNames: 'price-analysis.js' },
      },
    },
  });
}
