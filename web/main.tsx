import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { readPaintedBrand } from './brand/painted-brand.ts';
import { linkRefusedSheet } from './link-refused-sheet.ts';
import { PageRoot } from './PageRoot.tsx';
import { resultsCode } from './results/results-code.ts';
import './ui/face.css';
import './ui/tokens.css';
import './ui/base.css';
import './page.css';
import './brand/brand.css';
import './print.css';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id "root"');

linkRefusedSheet();
if (location.pathname === '/results') resultsCode.preload();

const page = <PageRoot prerenderedPath={root.dataset.path ?? '/'} brand={readPaintedBrand(root.dataset)} />;
if (root.hasChildNodes()) {
  // In a task of its own, after that of the script, and as a transition it is done in small slices, between which a
  // slow phone can still answer a touch.
  setTimeout(() => {
    startTransition(() => {
      hydrateRoot(root, page);
    });
  });
} else {
  createRoot(root).render(page);
}
