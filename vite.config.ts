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

export default defineConfig({
  plugins: [react(), shakeDownshift, finishPage()],
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
      treeshake: { manualPureFunctions: ['PropTypes', '_extends'] },
    },
  },
});
