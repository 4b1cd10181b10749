import { useEffect } from 'react';
import { whenIdle } from '../ui/when-idle.ts';

const FIRST_EVENTS = ['pointerdown', 'keydown', 'wheel'] as const;

/**
 * Reports web vitals to an endpoint, if there is one. The code is loaded after the first interaction, because browsers
 * buffer earlier measurements.
 */
export function useVitals(endpoint: string | null): void {
  useEffect(() => {
    if (endpoint === null) return;
    const openedAt = location.pathname;
    const listeners = new AbortController();
    const measure = () => {
      listeners.abort();
      whenIdle(() => {
        import('./report-vitals.ts').then(
          ({ reportVitals }) => reportVitals(endpoint, openedAt),
          () => {},
        );
      });
    };
    for (const event of FIRST_EVENTS) {
      addEventListener(event, measure, { passive: true, signal: listeners.signal });
    }
    return () => listeners.abort();
  }, [endpoint]);
}
