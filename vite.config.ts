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

/**
 * What the page and its results import, in one file each: the bundler would split off all that other lazy code shares.
 * The form's parts and Explore, which open without results, share only files of their own with them.
 */
const imports = {
  'web/main.tsx': new Set<string>(),
  'web/results/LoadedResults.tsx': new Set<string>(),
  'web/explore/ExploreContent.tsx': new Set<string>(),
  'web/search-form/form-parts.ts': new Set<string>(),
};

const gatherImports: Plugin = {
  name: 'gather-imports',
  buildEnd() {
    for (const [entry, found] of Object.entries(imports)) {
      const gather = (id: string) => {
        if (found.has(id)) return;
        found.add(id);
        for (const imported of this.getModuleInfo(id)?.importedIds ?? []) gather(imported);
      };
      for (const id of this.getModuleIds()) if (id.endsWith(`/${entry}`)) gather(id);
    }
  },
};

const isFirst = (id: string) => imports['web/main.tsx'].has(id);
const isOfResults = (id: string) =>
  imports['web/results/LoadedResults.tsx'].has(id) &&
  !imports['web/explore/ExploreContent.tsx'].has(id) &&
  !imports['web/search-form/form-parts.ts'].has(id);

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
  plugins: [react(), shakeDownshift, gatherImports, trustMapWorker, finishPage()],
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
          includeDependenciesRecursively: false,
          groups: [
            { name: 'first-load', test: (id) => isFirst(id) && !id.endsWith('main.tsx'), priority: 1 },
            { name: 'LoadedResults', test: isOfResults },
          ],
        },
      },
      treeshake: { manualPureFunctions: ['PropTypes', '_extends'] },
    },
  },
});
