import { useEffect } from 'react';
import { afterInteraction } from '../ui/after-interaction.ts';

/**
 * Reports web vitals to an endpoint, if there is one. The code is loaded after the first interaction, because browsers
 * buffer earlier measurements.
 */
export function useVitals(endpoint: string | null): void {
  useEffect(() => {
    if (endpoint === null) return;
    return afterInteraction(() => {
      import('./report-vitals.ts').then(
        ({ reportVitals }) => reportVitals(endpoint),
        () => {},
      );
    });
  }, [endpoint]);
}
