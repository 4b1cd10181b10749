import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { finishPage } from './scripts/finish-page.ts';
import { OLDEST_BROWSERS } from './scripts/oldest-browsers.ts';

export default defineConfig({
  plugins: [react(), finishPage()],
  // Pictures with fixed addresses. An operator's lists, logo and config.json are not here: the server serves them.
  publicDir: 'web/public',
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: OLDEST_BROWSERS,
    assetsInlineLimit: 0,
    // Safari 16 does not preload modules, and works without.
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ['index.html', 'accessibility.html'] },
  },
});
