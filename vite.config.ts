import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { widgetBundle } from './scripts/widget-bundle.ts';

export default defineConfig({
  plugins: [react(), widgetBundle()],
  // Art that is named on the wire, and so keeps its name. An operator's lists, logo and config.json are not
  // here: they are served beside the bundle, never baked into it.
  publicDir: 'web/public',
  build: { outDir: 'dist/web', emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0 },
});
