import { formatWholePounds } from '../../domain/money.ts';
import { PageLink } from '../ui/PageLink.tsx';
import { ANY_TIME } from './departure-span.ts';
import { type ExploreChoice, toExploreAddress } from './explore-address.ts';
import type { PlacePrices } from './place-prices.ts';
import type { ChosenExplore } from './use-explore-choice.ts';

/** What to narrow, where the server will not compare that much. */
export function TooWide({ choice }: { choice: ChosenExplore }) {
  const { airport, when, nights } = choice;
  return (
    <div className="explore-message">
      <p>To see prices, narrow one of these:</p>
      <ul>
        {airport?.isRegion === true && <li>{`one airport in place of ${airport.name}`}</li>}
        {when.includes('-') ? null : <li>a month or a half year in place of any time</li>}
        {nights === null && <li>one number of nights</li>}
      </ul>
      <p className="toolbar">
        {nights === null && <Change choice={choice} changes={{ nights: 7 }} words="7 nights" />}
      </p>
    </div>
  );
}

interface NothingFoundProps {
  choice: ChosenExplore;
  /** The cheapest place beyond the chosen price. */
  cheapest: PlacePrices | null;
}

/** The choices that may have prices. */
export function NothingFound({ choice, cheapest }: NothingFoundProps) {
  const pounds = cheapest && Math.ceil(cheapest.lowest.total / 100);
  return (
    <p className="toolbar">
      {pounds !== null && choice.most !== null && (
        <>
          <Change
            choice={choice}
            changes={{ most: pounds }}
            words={`Up to ${formatWholePounds(pounds * 100)}`}
          />
          <Change choice={choice} changes={{ most: null }} words="Any price" />
        </>
      )}
      {choice.when !== ANY_TIME && <Change choice={choice} changes={{ when: ANY_TIME }} words="Any time" />}
      {choice.nights !== null && <Change choice={choice} changes={{ nights: null }} words="4 to 14 nights" />}
    </p>
  );
}

function Change({
  choice,
  changes,
  words,
}: {
  choice: ExploreChoice;
  changes: Partial<ExploreChoice>;
  words: string;
}) {
  return (
    <PageLink className="chip-button" href={toExploreAddress({ ...choice, ...changes })}>
      {words}
    </PageLink>
  );
}
