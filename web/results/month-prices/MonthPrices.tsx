import { useState } from 'react';
import { departureDate, departureWindow, monthOf } from '../../../domain/calendar-date.ts';
import { WITH_CHARGES } from '../../../domain/charge-words.ts';
import { monthWords } from '../../../domain/day-words.ts';
import { shortName } from '../../../domain/destination.ts';
import { DURATIONS, type Duration } from '../../../domain/duration.ts';
import { orWords } from '../../../domain/flexibility.ts';
import { formatWholePounds } from '../../../domain/money.ts';
import { partyWords } from '../../../domain/party.ts';
import { hasFilters } from '../../../domain/result-filters.ts';
import { useDayPrices } from '../../search/day-prices.ts';
import {
  cheapestOf,
  type DayPrices,
  daysOfMonth,
  type Month,
  monthFilters,
} from '../../search/price-month.ts';
import { useSearchContext } from '../../search/search-context.tsx';
import { currentSearch } from '../../search/search-state.ts';
import { toSearchUrl } from '../../search/search-url.ts';
import { Modal } from '../../ui/Modal.tsx';
import { RetryMessage } from '../../ui/RetryMessage.tsx';
import { DayPlot } from './DayPlot.tsx';
import type { DayTrip, TripLinks } from './day-trip.ts';
import { MonthPager } from './MonthPager.tsx';
import { NightsPlot } from './NightsPlot.tsx';
import { PriceTable } from './PriceTable.tsx';
import './month-prices.css';

const NO_PRICES: DayPrices = new Map();

/** The lowest price of each day of a month and of each number of nights, with links to their searches. */
export function MonthPrices({ onClose }: { onClose: () => void }) {
  const { state, config, today, showDay } = useSearchContext();
  const search = currentSearch(state);
  const window = departureWindow(today);
  const [month, setMonth] = useState<Month>(() => monthOf(departureDate(search.date, today)));
  const [nights, setNights] = useState<Duration>(search.duration);
  const filters = DURATIONS.flatMap(
    (duration) => monthFilters({ ...search, duration }, month, window, config.brandCode) ?? [],
  );
  const { data: found, isError, isFetching, refetch } = useDayPrices(config, filters);
  const hasFailed = isError && !isFetching;
  const byNights = new Map(DURATIONS.map((each, nth) => [each, found?.[nth] ?? NO_PRICES]));
  const prices = byNights.get(nights) ?? NO_PRICES;

  const place =
    search.destination && orWords([search.destination, ...search.flexibility.places].map(shortName));
  const filtered = hasFilters(search) ? ', with your filters' : '';
  const links: TripLinks = {
    chosen: { date: search.date ?? '', nights: search.duration },
    url: ({ date, nights: duration }) =>
      toSearchUrl({ ...search, date, duration, flexibility: { ...search.flexibility, days: 0 }, page: 1 }),
    open({ date, nights: duration }: DayTrip) {
      onClose();
      showDay(date, duration);
    },
  };

  return (
    <Modal title="Prices by month" size="wide" onClose={onClose}>
      <div className="month-prices">
        <p className="month-trip">
          {`${place} from ${search.departureAirport?.name}. Lowest price for ${partyWords(search.party)}, ${WITH_CHARGES}${filtered}.`}
        </p>
        <NightsPlot byNights={byNights} chosen={nights} onChoose={setNights} />
        <MonthPager month={month} window={window} onChange={setMonth} />
        <DayPlot
          key={`${month} ${nights}`}
          days={daysOfMonth(month)}
          nights={nights}
          prices={prices}
          links={links}
        />
        <div className="month-answer">
          <p role="status">{!hasFailed && summary(found !== undefined, prices, month, nights)}</p>
          {hasFailed && <RetryMessage words="We couldn’t load the prices." onRetry={() => void refetch()} />}
        </div>
        {found !== undefined && <PriceTable month={month} byNights={byNights} links={links} />}
      </div>
    </Modal>
  );
}

/** The plot in words. */
function summary(isLoaded: boolean, prices: DayPrices, month: Month, nights: Duration) {
  if (!isLoaded) return 'Looking up prices...';
  const cheapest = cheapestOf(prices);
  if (cheapest === null) return `No ${nights}-night holidays found in ${monthWords(month)}.`;
  return (
    <>
      <span className="plot-mark">{formatWholePounds(cheapest.price)}</span>
      <span>{` is the cheapest in ${monthWords(month)} for ${nights} nights`}</span>
    </>
  );
}
