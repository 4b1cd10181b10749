import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { readPrerenderedBrand } from './brand/prerendered-brand.ts';
import { linkBlockedStylesheet } from './link-blocked-stylesheet.ts';
import { exploreCode, shortlistCode } from './other-pages.ts';
import { PageRoot } from './PageRoot.tsx';
import { ReloadOffer } from './ReloadOffer.tsx';
import { resultsCode } from './results/results-code.ts';
import { toolsCode } from './results/tools-code.ts';
import { followHistory } from './ui/dialog-history.ts';
import { keepFocus } from './ui/keep-focus.ts';
import { PART_FAILED } from './ui/lazy-part.tsx';
import { rememberScroll } from './ui/scroll-memory.ts';
import { withoutTrailingSlash } from './ui/use-path.ts';
import './ui/face.css';
import './ui/tokens.css';
import './ui/base.css';
import './page.css';
import './brand/brand.css';
import './print.css';

const root = document.getElementById('root');
if (root === null) offerDialogs();
else startPage(root);

/** The server's page of a hotel has no root: its script (web/public/hotel.js) asks for dialogs. */
function offerDialogs(): void {
  createRoot(document.body.appendChild(document.createElement('div'))).render(<ReloadOffer />);
  addEventListener('hoteldialog', (event) => {
    if (!(event instanceof CustomEvent)) return;
    toolsCode
      .load()
      .then(({ openDialog }) => openDialog(event.detail))
      .catch((error: unknown) => {
        console.warn('The dialog could not be opened.', error);
        // The page says in words what the map shows.
        if (event.detail !== 'map') dispatchEvent(new Event(PART_FAILED));
      });
  });
}

function startPage(root: HTMLElement): void {
  document.documentElement.dataset.started = '';
  linkBlockedStylesheet();
  followHistory();
  keepFocus();
  rememberScroll();
  const path = withoutTrailingSlash(location.pathname);
  if (path === '/results') resultsCode.preload();
  if (path === '/explore') exploreCode.preload();
  if (path === '/shortlist') shortlistCode.preload();
  if ('modelContext' in document)
    void import('./assistant/web-mcp.ts').then(({ offerTools }) => offerTools());

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
}
