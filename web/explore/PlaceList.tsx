import { WITH_CHARGES } from '../../domain/charge-words.ts';
import { formatBriefWeekday } from '../../domain/day-words.ts';
import { formatWholePounds } from '../../domain/money.ts';
import { partyWords } from '../../domain/party.ts';
import type { CountryPrices, PlacePrices } from '../search/place-prices.ts';
import { PageLink } from '../ui/PageLink.tsx';
import { toExploreUrl } from './explore-url.ts';
import type { ExploreView } from './explore-view.ts';
import { MonthPrices } from './MonthPrices.tsx';
import { resultsUrl } from './results-link.ts';
import type { ChosenExplore } from './use-explore-choice.ts';

interface PlaceListProps {
  view: Extract<ExploreView, { kind: 'countries' | 'regions' }>;
  choice: ChosenExplore;
}

/** The places of the map with their prices, the cheapest first. */
export function PlaceList({ view, choice }: PlaceListProps) {
  return (
    <ol className="explore-list" id="explore-list">
      {view.kind === 'countries'
        ? view.places.map((country) => <PlaceRow key={country.country} place={country} choice={choice} />)
        : view.places.map((region) => <PlaceRow key={region.region} place={region} choice={choice} />)}
    </ol>
  );
}

function PlaceRow({ place, choice }: { place: PlacePrices | CountryPrices; choice: ChosenExplore }) {
  const { date, nights, total } = place.lowest;
  const name = place.region || place.country;
  const regions = 'regions' in place ? place.regions : [];
  return (
    <li className="explore-place">
      <div className="explore-place-name">
        <h3>{name}</h3>
        <p>{`${nights} nights from ${formatBriefWeekday(date)} ${date.slice(0, 4)}`}</p>
      </div>
      <p className="explore-price">
        <span>from</span> <strong>{formatWholePounds(total)}</strong>
        <span className="explore-total">{`for ${partyWords(choice.party)}, ${WITH_CHARGES}`}</span>
      </p>
      <MonthPrices place={place} choice={choice} />
      <p className="explore-links">
        <PageLink className="button-quiet" href={resultsUrl(place, place.lowest, choice)} toTop>
          <span>See holidays</span>
          <span className="visually-hidden">{` in ${name}`}</span>
        </PageLink>
        {regions.length > 1 && (
          <PageLink className="button-quiet" href={toExploreUrl({ ...choice, country: place.country })}>
            <span>{`${regions.length} regions`}</span>
            <span className="visually-hidden">{` of ${name}`}</span>
          </PageLink>
        )}
      </p>
    </li>
  );
}
