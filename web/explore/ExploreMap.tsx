import { useEffect } from 'react';
import { formatWholePounds } from '../../domain/money.ts';
import { useLazyCode } from '../ui/lazy-code.ts';
import { toExploreAddress } from './explore-address.ts';
import type { ExploreView } from './explore-view.ts';
import { mapCode } from './map/map-code.ts';
import type { MapPlace } from './map/PriceMap.tsx';
import { resultsAddress } from './results-link.ts';
import type { ChosenExplore } from './use-explore-choice.ts';

/** The map beside the list, whose code comes after the list's. Without it the list says the same. */
export function ExploreMap({ view, choice }: { view: ExploreView; choice: ChosenExplore }) {
  const lazy = useLazyCode(mapCode);
  useEffect(mapCode.preload, []);
  return (
    <div className="explore-map-column">
      {lazy.status === 'stored' ? (
        <lazy.code.PriceMap key={choice.country ?? ''} places={mapPlaces(view, choice)} />
      ) : (
        <div className="price-map">
          {lazy.status === 'failed' && <p>The map could not be loaded. The list has every price.</p>}
        </div>
      )}
    </div>
  );
}

function mapPlaces(view: ExploreView, choice: ChosenExplore): MapPlace[] {
  if (view.kind !== 'countries' && view.kind !== 'regions') return [];
  return view.places.flatMap((place) => {
    const { country, region, position, lowest } = place;
    if (position === null) return [];
    const hasRegions =
      view.kind === 'countries' && (view.places.find((each) => each === place)?.regions.length ?? 0) > 1;
    return {
      name: region || country,
      country,
      price: formatWholePounds(lowest.total),
      position,
      href: hasRegions ? toExploreAddress({ ...choice, country }) : resultsAddress(place, lowest, choice),
    };
  });
}
