import { readSession, writeSession } from './session-storage.ts';

/** A scroll counts as ended after this pause. */
const SETTLED_MS = 150;

/** Where to scroll once the content is painted; null: nowhere. */
let wanted: number | null = null;

/** Whether the page is scrolling to its top. */
let isGoingUp = false;

let timer: ReturnType<typeof setTimeout> | undefined;

/** The address of the link that was followed last. */
let followed: string | null = null;

/**
 * Remembers the scroll position of each URL, and the link that left it. After a reload, Back or Forward the browser restores it before the results
 * are painted; `restoreScroll` does so afterwards, unless the visitor has acted since.
 */
export function rememberScroll(): void {
  const [load] = performance.getEntriesByType('navigation');
  if (load instanceof PerformanceNavigationTiming && load.type !== 'navigate') wanted = stored();
  addEventListener('popstate', () => {
    forget();
    wanted = stored();
  });
  addEventListener('scroll', awaitEnd);
  // A link may be followed while the page still scrolls.
  addEventListener('pagehide', remember);
  addEventListener('click', ({ target }) => {
    followed = (target instanceof Element && target.closest('a')?.getAttribute('href')) || null;
  });
  for (const act of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    addEventListener(act, forget, { capture: true, passive: true });
  }
}

function forget(): void {
  wanted = null;
  isGoingUp = false;
}

function awaitEnd(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (isGoingUp && scrollY > 0) return scrollToTop();
    isGoingUp = false;
    remember();
  }, SETTLED_MS);
}

function remember(): void {
  if (wanted !== null) return;
  writeSession(key(), String(Math.round(scrollY)));
  writeSession(`${key()} link`, followed ?? '');
}

/**
 * Scrolls to the top, smoothly unless the visitor prefers reduced motion. New content can end a smooth scroll early: it
 * then starts again, unless the visitor has acted since.
 */
export function scrollToTop(): void {
  isGoingUp = true;
  const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
  scrollTo({ top: 0, behavior: prefersReducedMotion ? 'instant' : 'smooth' });
  awaitEnd();
}

/** Scrolls to the remembered position, with the focus on the link that left it. Call it once a URL's content is painted. */
export function restoreScroll(): void {
  if (wanted === null) return;
  scrollTo({ top: wanted, behavior: 'instant' });
  wanted = null;
  const href = readSession(`${key()} link`);
  if (href)
    document.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true });
}

function stored(): number | null {
  const text = readSession(key());
  return text === null ? null : Number(text);
}

function key(): string {
  return `skylark.scroll ${location.pathname}${location.search}`;
}
