import { useEffect } from 'react';
import { formatWholePounds } from '../../domain/money.ts';
import { useLazyCode } from '../ui/lazy-code.ts';
import { toExploreUrl } from './explore-url.ts';
import type { ExploreView } from './explore-view.ts';
import { mapCode } from './map/map-code.ts';
import type { MapPlace } from './map/PriceMap.tsx';
import type { CountryPrices, PlacePrices } from './place-prices.ts';
import { resultsUrl } from './results-link.ts';
import type { ChosenExplore } from './use-explore-choice.ts';

/** The map beside the list. Its code is loaded after the list, which has the same prices. */
export function ExploreMap({ view, choice }: { view: ExploreView; choice: ChosenExplore }) {
  const lazy = useLazyCode(mapCode);
  useEffect(mapCode.preload, []);
  return (
    <div className="explore-map-column">
      {lazy.status === 'stored' ? (
        <lazy.code.PriceMap key={choice.country ?? ''} places={mapPlaces(view, choice)} />
      ) : (
        <div className="price-map">
          {lazy.status === 'failed' && <p>We couldn’t load the map. Every price is in the list.</p>}
        </div>
      )}
    </div>
  );
}

function mapPlaces(view: ExploreView, choice: ChosenExplore): MapPlace[] {
  if (view.kind !== 'countries' && view.kind !== 'regions') return [];
  return view.places.flatMap((place: PlacePrices | CountryPrices) => {
    const { country, region, position, lowest } = place;
    if (position === null) return [];
    const hasRegions = 'regions' in place && place.regions.length > 1;
    return {
      name: region || country,
      country,
      price: formatWholePounds(lowest.total),
      position,
      href: hasRegions ? toExploreUrl({ ...choice, country }) : resultsUrl(place, lowest, choice),
    };
  });
}
