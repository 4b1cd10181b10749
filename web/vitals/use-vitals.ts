import { useEffect } from 'react';
import { whenIdle } from '../ui/when-idle.ts';

/** Has the page measured for its operator, where one wants to know. The code for it comes when nothing else is to do. */
export function useVitals(endpoint: string | null): void {
  useEffect(() => {
    if (endpoint === null) return;
    const openedAt = location.pathname;
    whenIdle(() => {
      import('./report-vitals.ts').then(
        ({ reportVitals }) => reportVitals(endpoint, openedAt),
        () => {},
      );
    });
  }, [endpoint]);
}
