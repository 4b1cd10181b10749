import { formatWholePounds } from '../../domain/money.ts';
import { lazyCode } from '../ui/lazy-part.tsx';
import { toExploreUrl } from './explore-url.ts';
import type { ExploreView } from './explore-view.ts';
import type { MapPlace } from './map/PriceMap.tsx';
import type { CountryPrices, PlacePrices } from './place-prices.ts';
import { resultsUrl } from './results-link.ts';
import type { ChosenExplore } from './use-explore-choice.ts';

const PriceMap = lazyCode(() => import('./map/maps.ts')).part((code) => code.PriceMap);

/** The map beside the list. Its code is loaded after the list, which has the same prices. */
export function ExploreMap({ view, choice }: { view: ExploreView; choice: ChosenExplore }) {
  return (
    <div className="explore-map-column">
      <PriceMap
        key={choice.country ?? ''}
        places={mapPlaces(view, choice)}
        fallback={<div className="price-map" />}
      />
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
