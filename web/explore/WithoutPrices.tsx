import { formatWholePounds } from '../../domain/money.ts';
import type { PlacePrices } from '../search/place-prices.ts';
import { PageLink } from '../ui/PageLink.tsx';
import { ANY_TIME } from './departure-span.ts';
import { type ExploreChoice, toExploreUrl } from './explore-url.ts';
import type { ChosenExplore } from './use-explore-choice.ts';

/** What to narrow when a request costs more than the server allows. */
export function TooWide({ choice }: { choice: ChosenExplore }) {
  const { airport, when, nights } = choice;
  return (
    <div className="explore-message">
      <p>To see prices, narrow one of these:</p>
      <ul>
        {airport?.isRegion === true && <li>{`Airport: choose one instead of ${airport.name}`}</li>}
        {when.includes('-') ? null : <li>When: choose a month or half-year</li>}
        {nights === null && <li>How long: choose a number of nights</li>}
      </ul>
      <p className="toolbar">
        {nights === null && <Change choice={choice} changes={{ nights: 7 }} words="7 nights" />}
      </p>
    </div>
  );
}

interface NothingFoundProps {
  choice: ChosenExplore;
  /** The cheapest place, which costs more than the chosen price. */
  cheapest: PlacePrices | null;
}

/** Other choices, which may have prices. */
export function NothingFound({ choice, cheapest }: NothingFoundProps) {
  const pounds = cheapest && Math.ceil(cheapest.lowest.total / 100);
  return (
    <p className="toolbar">
      {pounds !== null && choice.maxPounds !== null && (
        <>
          <Change
            choice={choice}
            changes={{ maxPounds: pounds }}
            words={`Up to ${formatWholePounds(pounds * 100)}`}
          />
          <Change choice={choice} changes={{ maxPounds: null }} words="Any price" />
        </>
      )}
      {choice.when !== ANY_TIME && <Change choice={choice} changes={{ when: ANY_TIME }} words="Any time" />}
      {choice.nights !== null && <Change choice={choice} changes={{ nights: null }} words="4 to 14 nights" />}
    </p>
  );
}

interface ChangeProps {
  choice: ExploreChoice;
  changes: Partial<ExploreChoice>;
  words: string;
}

function Change({ choice, changes, words }: ChangeProps) {
  return (
    <PageLink className="chip-button" href={toExploreUrl({ ...choice, ...changes })}>
      {words}
    </PageLink>
  );
}
