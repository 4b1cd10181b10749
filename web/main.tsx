import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { readPrerenderedBrand } from './brand/prerendered-brand.ts';
import { linkBlockedStylesheet } from './link-blocked-stylesheet.ts';
import { exploreCode, shortlistCode } from './other-pages.ts';
import { PageRoot } from './PageRoot.tsx';
import { resultsCode } from './results/results-code.ts';
import { followHistory } from './ui/dialog-history.ts';
import { keepFocus } from './ui/keep-focus.ts';
import { rememberScroll } from './ui/scroll-memory.ts';
import { withoutTrailingSlash } from './ui/use-path.ts';
import './ui/face.css';
import './ui/tokens.css';
import './ui/base.css';
import './page.css';
import './brand/brand.css';
import './print.css';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id "root"');

document.documentElement.dataset.started = '';
linkBlockedStylesheet();
followHistory();
keepFocus();
rememberScroll();
const path = withoutTrailingSlash(location.pathname);
if (path === '/results') resultsCode.preload();
if (path === '/explore') exploreCode.preload();
if (path === '/shortlist') shortlistCode.preload();

const page = (
  <PageRoot prerenderedPath={root.dataset.path ?? '/'} brand={readPrerenderedBrand(root.dataset)} />
);
if (root.hasChildNodes()) {
  // In a transition React hydrates in small slices, so that a slow phone still responds to touch.
  setTimeout(() => {
    startTransition(() => {
      hydrateRoot(root, page);
    });
  });
} else {
  createRoot(root).render(page);
}
