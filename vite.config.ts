import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * The window. Relative addresses, so that the same build is served by the Electron window's own scheme and by the
 * loopback host; nothing inlined into the page, so that the strict content security policy of both holds.
 */
export default defineConfig({
  root: 'renderer',
  base: './',
  publicDir: false,
  plugins: [react()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'chrome140',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
  },
});
