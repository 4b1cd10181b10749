import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { finishPage } from './scripts/finish-page.ts';
import { OLDEST_BROWSERS } from './scripts/oldest-browsers.ts';

/** Statements that would keep hooks in the bundle that the page does not use. */
const OTHER_HOOKS = /^use(?!Combobox)\w+\.stateChangeTypes = .*$/gm;

const shakeDownshift: Plugin = {
  name: 'shake-downshift',
  transform: (code, id) =>
    id.endsWith('downshift.esm.mjs') ? { code: code.replace(OTHER_HOOKS, ''), map: null } : null,
};

/** What the page's first script imports, in one file: the bundler would split off what lazy code shares. */
const firstLoad = new Set<string>();

const gatherFirstLoad: Plugin = {
  name: 'gather-first-load',
  buildEnd() {
    const gather = (id: string) => {
      if (firstLoad.has(id)) return;
      firstLoad.add(id);
      for (const imported of this.getModuleInfo(id)?.importedIds ?? []) gather(imported);
    };
    for (const id of this.getModuleIds()) if (id.endsWith('/web/main.tsx')) gather(id);
  },
};

/** MapLibre's worker needs the page's Trusted Types policy. */
const trustMapWorker: Plugin = {
  name: 'trust-map-worker',
  transform(code, id) {
    if (!id.endsWith('maplibre-gl.mjs')) return null;
    const trusted = code.replace(/new Worker\((\w+),\s*\{type:`module`\}\)/, 'moduleWorker($1)');
    if (trusted === code) this.error('MapLibre starts its worker in another way');
    const policy = new URL('./web/ui/trusted-script.ts', import.meta.url).pathname;
    return { code: `import { moduleWorker } from ${JSON.stringify(policy)};${trusted}`, map: null };
  },
};

export default defineConfig({
  plugins: [react(), shakeDownshift, gatherFirstLoad, trustMapWorker, finishPage()],
  // Pictures with fixed addresses. An operator's lists, logo and config.json are not here: the server serves them.
  publicDir: 'web/public',
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: OLDEST_BROWSERS,
    assetsInlineLimit: 0,
    // Safari 16 does not preload modules, and works without.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'accessibility.html'],
      output: {
        codeSplitting: {
          groups: [{ name: 'first-load', test: (id) => firstLoad.has(id) && !id.endsWith('main.tsx') }],
        },
      },
      treeshake: { manualPureFunctions: ['PropTypes', '_extends'] },
    },
  },
});
