import { readSession, writeSession } from './session-storage.ts';

/** A scroll counts as ended after this pause. */
const SETTLED_MS = 150;

/** Where to scroll once the content is painted; null: nowhere. */
let wanted: number | null = null;

/**
 * Remembers the scroll position of each URL. After a reload, Back or Forward the browser restores it before the results
 * are painted; `restoreScroll` does so afterwards, unless the visitor has acted since.
 */
export function rememberScroll(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const [load] = performance.getEntriesByType('navigation');
  if (load instanceof PerformanceNavigationTiming && load.type !== 'navigate') wanted = stored();
  addEventListener('popstate', () => {
    wanted = stored();
  });
  addEventListener('scroll', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (wanted === null) writeSession(key(), String(Math.round(scrollY)));
    }, SETTLED_MS);
  });
  for (const act of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    addEventListener(act, forget, { capture: true, passive: true });
  }
}

function forget(): void {
  wanted = null;
}

/** Scrolls to the remembered position. Call it once a URL's content is painted. */
export function restoreScroll(): void {
  if (wanted === null) return;
  scrollTo({ top: wanted, behavior: 'instant' });
  wanted = null;
}

function stored(): number | null {
  const text = readSession(key());
  return text === null ? null : Number(text);
}

function key(): string {
  return `skylark.scroll ${location.pathname}${location.search}`;
}
