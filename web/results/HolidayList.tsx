import { useCallback, useEffect, useState } from 'react';
import type { Airport } from '../../domain/airport.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import type { Page } from '../../domain/sort-and-page.ts';
import { offersAlerts, PriceAlerts } from '../alerts/PriceAlerts.tsx';
import type { PageConfig } from '../config/page-config.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { sendBeacon } from '../vitals/send-beacon.ts';
import { HolidayCard } from './HolidayCard.tsx';
import { Pagination } from './Pagination.tsx';

interface HolidayListProps {
  page: Page;
  /** Whether the server has more results after the last held page. */
  hasMore: boolean;
  airports: readonly Airport[];
  config: PageConfig;
  onPage: (page: number) => void;
}

/** A page of cards with their alert modal and the pagination. */
export function HolidayList({ page, hasMore, airports, config, onPage }: HolidayListProps) {
  const [watched, setWatched] = useState<PackageHoliday | null>(null);
  const {
    state: { results, preferences },
  } = useSearchContext();
  useEffect(() => {
    // The link of a price alert names its holiday.
    if (!new URLSearchParams(location.search).has('holiday')) return;
    import('./mark-holiday.ts')
      .then(({ markHoliday }) => markHoliday({ results, preferences }))
      .catch((error: unknown) => console.warn('The holiday of the alert is not marked.', error));
  }, [results, preferences]);
  const { visitsEndpoint } = config;
  const onVisit = useCallback(
    (holiday: PackageHoliday) => recordVisit(visitsEndpoint, holiday),
    [visitsEndpoint],
  );
  return (
    <>
      <ol className="results-list">
        {page.items.map((holiday, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: another server may send one key twice.
          <li key={`${holiday.ItemKey} ${index}`}>
            <HolidayCard
              holiday={holiday}
              airports={airports}
              provider={config.providers[holiday.Brand]}
              onVisit={onVisit}
              onWatch={offersAlerts(config) ? setWatched : undefined}
            />
          </li>
        ))}
      </ol>
      <PriceAlerts holiday={watched} config={config} onClose={() => setWatched(null)} />
      <Pagination page={page} hasMore={hasMore} onPage={onPage} />
    </>
  );
}

/** Reports a visit to a provider's site with the price that the card showed, to compare with the provider's price. */
function recordVisit(endpoint: string | null, { ItemKey, PriceDetails, PriceToken }: PackageHoliday): void {
  if (endpoint === null) return;
  const visit = { itemKey: ItemKey, price: PriceDetails.TotalPrice };
  sendBeacon(endpoint, PriceToken === undefined ? visit : { ...visit, priceToken: PriceToken });
}
