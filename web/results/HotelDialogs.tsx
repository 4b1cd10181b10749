import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot, type Root } from 'react-dom/client';
import type { Airport } from '../../domain/airport.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import { offersAlerts, PriceAlerts, type Watched } from '../alerts/PriceAlerts.tsx';
import { loadPageConfig } from '../config/use-page-config.ts';
import { createQueryClient } from '../data/query-client.ts';
import { PriceHistory } from '../price-history/PriceHistory.tsx';
import { followHistory } from '../ui/dialog-history.ts';

const client = createQueryClient();
let root: Root | null = null;

/** Opens a dialog for the package that the hotel's page shows, or draws its map. Rejects if it cannot. */
export async function openDialog(dialog: 'alerts' | 'history' | 'map'): Promise<void> {
  if (dialog === 'map') {
    const box = document.querySelector<HTMLElement>('[data-hotel-map]');
    if (box !== null) (await import('../map/HolidayMap.tsx')).drawHotelMap(box);
    return;
  }
  const { holiday: text = '', airport = '' } = document.querySelector('main')?.dataset ?? {};
  const holiday: PackageHoliday = JSON.parse(text);
  const airports: Airport[] = JSON.parse(airport);
  const config = await loadPageConfig(AbortSignal.timeout(10_000));
  if (root === null) {
    followHistory();
    root = createRoot(document.body.appendChild(document.createElement('div')));
  }
  const show = (opened: PackageHoliday | null, watched: Watched | null) =>
    root?.render(
      <QueryClientProvider client={client}>
        <PriceHistory
          holiday={opened}
          config={config}
          onLimit={offersAlerts(config) ? (below) => show(null, { holiday, below }) : undefined}
          onClose={close}
        />
        <PriceAlerts
          watched={watched}
          airports={airports}
          config={config}
          searchUrl={location.search}
          onClose={close}
        />
      </QueryClientProvider>,
    );
  const close = () => show(null, null);
  if (dialog === 'history') show(holiday, null);
  else show(null, { holiday });
}
