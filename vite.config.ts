import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { finishPage } from './scripts/finish-page.ts';

/** What downshift and wouter bring for older browsers and for development costs 1.2 kB of the first load. */
const LEAN_MODULES = {
  'compute-scroll-into-view': resolve('web/stand-ins/compute-scroll-into-view.ts'),
  'prop-types': resolve('web/stand-ins/prop-types.ts'),
  'use-sync-external-store/shim/index.js': 'react',
};

export default defineConfig(({ mode }) => ({
  plugins: [react(), finishPage()],
  // Art that is named on the wire, and so keeps its name. An operator's lists, logo and config.json are not
  // here: they are served beside the bundle, never baked into it.
  publicDir: 'web/public',
  // In development downshift checks its properties by the real package.
  resolve: { alias: mode === 'production' ? LEAN_MODULES : {} },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    // Every browser of the target preloads modules by itself.
    modulePreload: { polyfill: false },
    // Static properties of parts that nobody uses would otherwise keep those parts: 4 kB of downshift.
    rolldownOptions: {
      input: ['index.html', 'accessibility.html'],
      treeshake: { propertyWriteSideEffects: false },
    },
  },
}));
