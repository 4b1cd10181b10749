import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { finishPage } from './scripts/finish-page.ts';

export default defineConfig({
  plugins: [react(), finishPage()],
  // Pictures with fixed addresses. An operator's lists, logo and config.json are not here: the server serves them.
  publicDir: 'web/public',
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    // Every browser of the target preloads modules by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ['index.html', 'accessibility.html'] },
  },
});
