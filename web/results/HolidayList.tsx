import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { Airport } from '../../domain/airport.ts';
import { type PackageHoliday, placePictureOf, shownPrice } from '../../domain/package-holiday.ts';
import { ANY_PLACE_PICTURE, unlikeNeighbours } from '../../domain/place-picture.ts';
import type { Page } from '../../domain/sort-and-page.ts';
import { offersAlerts, PriceAlerts, type Watched } from '../alerts/PriceAlerts.tsx';
import type { PageConfig } from '../config/page-config.ts';
import { sendBeacon } from '../data/request.ts';
import { PriceHistory } from '../price-history/PriceHistory.tsx';
import { useSearchContext } from '../search/search-context.tsx';
import { currentSearch } from '../search/search-state.ts';
import { toSearchUrl } from '../search/search-url.ts';
import { HolidayCard } from './HolidayCard.tsx';
import { Pagination } from './Pagination.tsx';
import { toolsCode } from './tools-code.ts';
import type { CheckedPrice } from './use-price-check.ts';

interface HolidayListProps {
  page: Page;
  /** The map, beside the cards on a wide screen and above them on others. */
  map: ReactNode;
  /** How many cards to render, from the first. For the others, the list only reserves space. */
  shown: number;
  /** Whether the server has more results than are loaded. */
  hasMore: boolean;
  airports: readonly Airport[];
  config: PageConfig;
  /** Providers' responses to price checks. */
  answers: ReadonlyMap<PackageHoliday, CheckedPrice>;
  onChecked: (holiday: PackageHoliday, price: CheckedPrice) => void;
  onPage: (page: number) => void;
}

/** A page of cards with their alert modal and the pagination. */
export function HolidayList(props: HolidayListProps) {
  const { page, map, shown, hasMore, airports, config, answers, onChecked, onPage } = props;
  const [watched, setWatched] = useState<Watched | null>(null);
  const [opened, setOpened] = useState<PackageHoliday | null>(null);
  const onWatch = useCallback((holiday: PackageHoliday) => setWatched({ holiday }), []);
  const { state } = useSearchContext();
  const { results, preferences } = state;
  const isWhole = shown >= page.items.length;
  useEffect(() => {
    // The link in a price alert names its holiday.
    if (!isWhole || !new URLSearchParams(location.search).has('holiday')) return;
    toolsCode
      .load()
      .then(({ markHoliday }) => markHoliday({ results, preferences }))
      .catch((error: unknown) => console.warn("The alert's holiday could not be marked.", error));
  }, [isWhole, results, preferences]);
  const drawings = unlikeNeighbours(page.items.map((each) => placePictureOf(each, each.HotelDetails)));
  const [photoOrigin = ''] = /^https?:..[^/]+/.exec(config.searchEndpoint) ?? [];
  const { visitsEndpoint } = config;
  const onVisit = useCallback(
    (holiday: PackageHoliday) => recordVisit(visitsEndpoint, holiday),
    [visitsEndpoint],
  );
  return (
    <>
      <div className={map ? 'results-columns is-mapped' : 'results-columns'}>
        {map}
        <ol className="results-list">
          {page.items.map((holiday, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: other servers may send a key twice.
            <li key={`${holiday.ItemKey} ${index}`}>
              {index < shown && (
                <HolidayCard
                  holiday={holiday}
                  airports={airports}
                  provider={config.providers[holiday.Brand]}
                  drawing={drawings[index] ?? ANY_PLACE_PICTURE}
                  photoOrigin={photoOrigin}
                  answer={answers.get(holiday)}
                  onChecked={onChecked}
                  onVisit={onVisit}
                  onWatch={offersAlerts(config) ? onWatch : undefined}
                  onHistory={config.priceHistory ? setOpened : undefined}
                  canSave={config.facets}
                  hasPage={config.hotelPages}
                />
              )}
            </li>
          ))}
        </ol>
      </div>
      <PriceHistory
        holiday={opened}
        config={config}
        onLimit={
          opened !== null && offersAlerts(config)
            ? (below) => {
                setOpened(null);
                setWatched({ holiday: opened, below });
              }
            : undefined
        }
        onClose={() => setOpened(null)}
      />
      <PriceAlerts
        watched={watched}
        airports={airports}
        config={config}
        searchUrl={toSearchUrl(currentSearch(state))}
        onClose={() => setWatched(null)}
      />
      <Pagination page={page} hasMore={hasMore} onPage={onPage} />
    </>
  );
}

/** Reports a click to a provider's site, so that the server can compare the shown price with the next one. */
function recordVisit(endpoint: string | null, holiday: PackageHoliday): void {
  if (endpoint !== null) sendBeacon(endpoint, shownPrice(holiday));
}
