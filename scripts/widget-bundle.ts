import { build, type Plugin } from 'vite';

/**
 * Builds the price-analysis widget after the page, into the page's folder, as a bundle that shares nothing with
 * it. Its address is fixed, since an operator may name it, or another widget, in config.json.
 */
export function widgetBundle(): Plugin {
  let outDir = '';
  return {
    name: 'price-analysis-widget',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir;
    },
    async closeBundle() {
      await build({
        configFile: false,
        logLevel: 'warn',
        publicDir: false,
        build: {
          outDir: `${outDir}/widget`,
          emptyOutDir: true,
          target: 'es2022',
          rolldownOptions: {
            input: 'widget/price-analysis.ts',
            output: { entryFileNames: 'price-analysis.js' },
          },
        },
      });
    },
  };
}
