import { useEffect } from 'react';
import { whenIdle } from '../ui/when-idle.ts';

/** The events of a visitor's first interaction. */
const FIRST_EVENTS = ['pointerdown', 'keydown', 'wheel'] as const;

/**
 * Reports web vitals if the operator has set an endpoint. The code is fetched after the first interaction, once the page
 * is idle: the browser buffers earlier measurements.
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
