import { useMemo } from 'react';
import { WITH_CHARGES } from '../../domain/charge-words.ts';
import { formatWholePounds } from '../../domain/money.ts';
import type { MapPin } from '../map/HolidayMap.tsx';
import type { CountryPrices, PlacePrices } from '../search/place-prices.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { lazyCode } from '../ui/lazy-part.tsx';
import { toExploreUrl } from './explore-url.ts';
import type { ExploreView } from './explore-view.ts';
import { resultsUrl } from './results-link.ts';
import type { ChosenExplore } from './use-explore-choice.ts';

const HolidayMap = lazyCode(() => import('../map/HolidayMap.tsx')).part((code) => code.HolidayMap);

/** The map beside the list. Its code is loaded after the list, which has the same prices. */
export function ExploreMap({ view, choice }: { view: ExploreView; choice: ChosenExplore }) {
  const { config } = useSearchContext();
  const pins = useMemo(() => mapPins(view, choice), [view, choice]);
  return (
    <div className="explore-map-column">
      {pins.length > 0 && (
        <a className="skip-map" href="#explore-list">
          Skip the map
        </a>
      )}
      <HolidayMap
        key={choice.country ?? ''}
        label="Map of prices"
        pins={pins}
        isNamed
        ownTiles={config.mapTiles}
        note={`Lowest prices, ${WITH_CHARGES}.`}
        fallback={<div className="holiday-map" />}
      />
    </div>
  );
}

function mapPins(view: ExploreView, choice: ChosenExplore): MapPin[] {
  if (view.kind !== 'countries' && view.kind !== 'regions') return [];
  return view.places.flatMap((place: PlacePrices | CountryPrices) => {
    const { country, region, position, lowest } = place;
    if (position === null) return [];
    const hasRegions = 'regions' in place && place.regions.length > 1;
    const href = hasRegions ? toExploreUrl({ ...choice, country }) : resultsUrl(place, lowest, choice);
    const name = region || country;
    return [
      { key: href, name, pounds: lowest.total, price: formatWholePounds(lowest.total), ...position, href },
    ];
  });
}
