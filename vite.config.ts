import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { finishPage } from './scripts/finish-page.ts';

// Code for older browsers and for development, which would add 1.2 kB to the first load.
const STAND_INS = {
  'compute-scroll-into-view': resolve('web/stand-ins/compute-scroll-into-view.ts'),
  'prop-types': resolve('web/stand-ins/prop-types.ts'),
  'use-sync-external-store/shim/index.js': 'react',
};

export default defineConfig(({ mode }) => ({
  plugins: [react(), finishPage()],
  // Pictures with fixed addresses. An operator's lists, logo and config.json are not here: the server serves them.
  publicDir: 'web/public',
  // In development downshift checks its properties with the real package.
  resolve: { alias: mode === 'production' ? STAND_INS : {} },
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
