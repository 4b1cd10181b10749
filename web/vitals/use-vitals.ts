import { useEffect } from 'react';
import { whenIdle } from '../ui/when-idle.ts';

/** What a visitor does first: press, touch, type or scroll by wheel. */
const FIRST_ACTS = ['pointerdown', 'keydown', 'wheel'] as const;

/**
 * Has the page measured for its operator, where one wants to know. The code for it is fetched after the visitor has
 * done something, once the page is idle again: nobody pays for it before, and the browser keeps what was before.
 */
export function useVitals(endpoint: string | null): void {
  useEffect(() => {
    if (endpoint === null) return;
    const openedAt = location.pathname;
    const acts = new AbortController();
    const measure = () => {
      acts.abort();
      whenIdle(() => {
        import('./report-vitals.ts').then(
          ({ reportVitals }) => reportVitals(endpoint, openedAt),
          () => {},
        );
      });
    };
    for (const act of FIRST_ACTS) addEventListener(act, measure, { passive: true, signal: acts.signal });
    return () => acts.abort();
  }, [endpoint]);
}
